import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCatalogue } from "../../../src/platform/node/catalogue.ts";
import { addedModelsFolder } from "../../../src/platform/node/home.ts";
import { umpire } from "../../support/command-line.ts";
import { MODELS } from "../../support/package-copy.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";

const BUILT_IN = new URL(`${MODELS}/`, PACKAGE_ROOT);
const DECIDE = ["decide", "--device", "wasm", "--state", "It rains.", "--ask", "Is it dry?"];

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-home-"));
  file = join(folder, "file");
  await writeFile(file, "");
});
afterAll(() => rm(folder, { recursive: true }));

test("a user whose home is no folder, as services have, has the built-in models", async () => {
  const added = pathToFileURL(join(file, "models/"));
  const packs = await readCatalogue(BUILT_IN, added);
  expect(packs.length).toBeGreaterThan(0);
  expect(packs.every(({ isBuiltIn }) => isBuiltIn)).toBe(true);
  const { code, stderr } = await umpire(DECIDE, { env: { HOME: file } });
  expect([code, stderr]).toEqual([0, ""]);
});

test("an UMPIRE_HOME that cannot be read is said in one sentence, without its path, to those who need it", async () => {
  expect((await umpire(DECIDE, { env: { UMPIRE_HOME: file } })).code).toBe(0);
  for (const command of [[...DECIDE, "--model", "mine"], ["models"]]) {
    const { code, stderr } = await umpire(command, { env: { UMPIRE_HOME: file } });
    expect([code, stderr]).toEqual([
      2,
      "umpire: The folder that UMPIRE_HOME names cannot be read: the system reports ENOTDIR. Name one that this program may read, or unset it.\n",
    ]);
  }
});

test("an empty HOME is none: models never lie in the folder where a program was started", async () => {
  const model = fileURLToPath(new URL("test/fixtures/models/bert", PACKAGE_ROOT));
  const { code, stderr } = await umpire(["models", "add", model], { env: { HOME: "" } });
  expect([code, stderr]).toEqual([1, expect.stringContaining("There is no home folder to keep models in. Set UMPIRE_HOME")]);
  expect((await addedModelsFolder({ UMPIRE_HOME: folder }))?.href).toBe(pathToFileURL(join(folder, "models/")).href);
});
