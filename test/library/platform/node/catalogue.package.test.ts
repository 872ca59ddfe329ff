import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { createDeciderOn } from "../../../../src/library/decider/create-decider.ts";
import { readCatalogue, addedModelsFolder } from "../../../../src/library/platform/node/catalogue.ts";
import { nodePlatform } from "../../../../src/library/platform/node/platform.ts";
import { umpireProcess } from "../../../support/command-line.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { decideError } from "../../../support/rejection.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { ASKED, TEXTS } from "../../../support/texts.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);
const REQUEST = { state: TEXTS.late, questions: { late: { type: "noul", instructions: ASKED.late } } } as const;

let folder: string;
let file: string;
beforeAll(() => {
  folder = tempDir();
  file = join(folder, "file");
  writeFileSync(file, "");
});

// A home that is named by HOME is looked for when the program starts, so these are programs of their own.
test("a user whose home is no folder, as services have, has the built-in models", async () => {
  const added = pathToFileURL(join(file, "models/"));
  const packs = await readCatalogue(() => nodePlatform(DIST).builtIn(), added);
  expect(packs.length).toBeGreaterThan(0);
  expect(packs.every(({ isBuiltIn }) => isBuiltIn)).toBe(true);
  const { code, stderr } = await umpireProcess(["decide", "--state", TEXTS.late, "--ask", ASKED.late], { env: { HOME: file } });
  expect([code, stderr]).toEqual([0, ""]);
});

test("an empty HOME is none: models never lie in the folder where a program was started", async () => {
  const model = fileURLToPath(new URL("test/fixtures/models/bert", PACKAGE_ROOT));
  const { code, stderr } = await umpireProcess(["models", "add", model], { env: { HOME: "" } });
  expect([code, stderr]).toEqual([1, expect.stringContaining("There is no home folder to keep models in. Set UMPIRE_HOME")]);
  expect((await addedModelsFolder({ UMPIRE_HOME: folder }))?.href).toBe(pathToFileURL(join(folder, "models/")).href);
});

test("an UMPIRE_HOME that cannot be read is said in one sentence, without its path, to those who need it", async () => {
  await using decider = createDeciderOn(nodePlatform(DIST, undefined, { UMPIRE_HOME: file }), { inline: true, threads: 1 });
  expect((await decider.decide(REQUEST)).model).toBe("umpire-2");
  for (const call of [() => decider.decide({ ...REQUEST, model: "mine" }), () => decider.models()]) {
    const { code, message } = await decideError(call);
    expect([code, message]).toEqual([
      "model_not_found",
      "The folder that UMPIRE_HOME names cannot be read: the system reports ENOTDIR. Name one that this program may read, or unset it.",
    ]);
  }
});
