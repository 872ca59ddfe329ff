import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { placeOf } from "../../../../src/library/platform/node/catalogue.ts";
import { decideError } from "../../../support/rejection.ts";

const here = (path: string): string => pathToFileURL(join(process.cwd(), path)).href;

it.each(["umpire-2", "latest", "a model"])("%j is a catalogue id", (model) => {
  expect(placeOf(model)).toBeUndefined();
});

it.each<[string | URL, string]>([
  ["./packs/mine", here("packs/mine/")],
  ["packs/mine/", here("packs/mine/")],
  [".", `${here("")}/`],
  ["/packs/100% mine?", "file:///packs/100%25%20mine%3F/"],
  ["file:///packs/mine", "file:///packs/mine/"],
  [new URL("file:///packs/mine/"), "file:///packs/mine/"],
])("%j is the folder %s", (model, folder) => {
  expect(placeOf(model)).toBe(folder);
});

it.each<[string | URL]>([[new URL("https://models.example/mine/")], ["file:///a%2Fb"], ["file://another-host/packs/"]])(
  "%j is refused: it is no folder of this machine",
  async (model) => {
    const error = await decideError(() => placeOf(model));
    expect(error).toMatchObject({ code: "model_not_found", message: expect.stringContaining("folder's path") as string });
  },
);
