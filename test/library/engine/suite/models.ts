import { fileURLToPath } from "node:url";
import type { DecideResponse } from "umpire";
import { describe, expect, it } from "vitest";
import { quickRequest } from "../../../support/long-requests.ts";
import { PACK_URL } from "../../../support/package-root.ts";
import { decideError } from "../../../support/rejection.ts";
import type { Suite } from "../suite.ts";

/** How a decider finds its model. */
export function models(suite: Suite): void {
  const { make } = suite;
  const { id } = suite.model;

  describe("finds its model", () => {
    const answering = async (place: string | URL, request?: string): Promise<DecideResponse> => {
      await using own = make({ model: place });
      return await own.decide(request === undefined ? quickRequest : { ...quickRequest, model: request });
    };

    it.each(["latest", "jev-latest", id])("by the name %s, and answers with its id", async (asked) => {
      expect((await suite.decider.decide({ ...quickRequest, model: asked })).model).toBe(id);
      expect((await answering(asked)).model).toBe(id);
    });

    it("by a folder's path, a file: URL, and a file: URL as text", async () => {
      const expected = await suite.decider.decide(quickRequest);
      const url = PACK_URL;
      expect(await answering(fileURLToPath(url))).toEqual(expected);
      expect(await answering(fileURLToPath(url).replace(/\/$/, ""), "latest")).toEqual(expected);
      expect(await answering(url, id)).toEqual(expected);
      expect(await answering(url.href.replace(/\/$/, ""))).toEqual(expected);
    });

    it.each(["umpire-large", "Latest", "__proto__", "constructor", "😀"])("or says which there are: %s", async (asked) => {
      for (const call of [() => suite.decider.decide({ ...quickRequest, model: asked }), () => answering(asked)]) {
        const error = await decideError(call);
        expect(error).toMatchObject({ code: "model_not_found", status: 404, retryable: false });
        expect(error.message).toContain("umpire-2");
        // What is short and plain may be shown.
        expect(error.message.includes(asked)).toBe(/^[\w.:/-]{1,40}$/.test(asked));
      }
    });

    it("never at a place that a request names", async () => {
      const url = PACK_URL.href;
      for (const place of [url, fileURLToPath(url), "./models/umpire-2", "../umpire-2"]) {
        expect(await decideError(() => suite.decider.decide({ ...quickRequest, model: place }))).toMatchObject({ code: "model_not_found" });
      }
    });

    it.each<string | URL>([
      "file://another-host/model",
      "file:///a%2Fb",
      "file:///%zz",
      "file://[",
      new URL("https://models.example/umpire"),
    ])("or says that %s is no place here", async (model) => {
      expect(await decideError(() => answering(model))).toMatchObject({ code: "model_not_found", status: 404 });
    });

    it.each(["/there/is/no/such/folder", "./package.json"])("or says that there is no folder %j", async (model) => {
      const error = await decideError(() => answering(model));
      expect(error.code).toBe("model_not_found");
      expect(error.message).toBe(
        "The folder that the option model names does not exist. Give the path of a model's folder, or the id of a model.",
      );
    });
  });
}
