import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHub } from "../../../support/hub-server.ts";
import type { HubServer } from "../../../support/hub-server.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { umpire } from "../../../support/command-line.ts";
import type { Run } from "../../../support/command-line.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const GRAPH = "onnx/model.onnx";

const home = tempDir();
let hub: HubServer;
let env: Record<string, string>;

beforeAll(async () => {
  const paths = ["config.json", "tokenizer.json", "tokenizer_config.json", GRAPH];
  const read = async (path: string): Promise<[string, Buffer]> => [
    path,
    await readFile(new URL(`test/fixtures/models/bert/${path}`, PACKAGE_ROOT)),
  ];
  const files = Object.fromEntries(await Promise.all(paths.map(read)));
  hub = await startHub("some-org/Some-NLI", { commit: COMMIT, revisions: ["main", "v1"], cardData: { license: "mit" }, files });
  env = { UMPIRE_HOME: home, HF_ENDPOINT: hub.url, HF_HOME: join(home, "hub") };
});

afterAll(() => hub.close());

const add = (...args: readonly string[]): Promise<Run> => umpire(["models", "add", ...args], { env });

test("a large download without --yes is refused before it begins, with its licence and size", async () => {
  const before = hub.list;
  const large = 61_000_000;
  hub.list = (entries) =>
    before(entries).map((entry) => {
      const { path, lfs } = entry as { path: string; lfs?: object };
      return path === GRAPH ? { ...(entry as object), size: large, lfs: { ...lfs, size: large } } : entry;
    });
  const { code, stderr } = await add("some-org/Some-NLI");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^umpire: some-org\/Some-NLI has 61 MB to download\. Its licence: mit\. .*--yes\.\n$/u)]);
  const asked = await umpire(["models", "add", "some-org/Some-NLI"], { env, terminal: 80, stdin: "n\n" });
  expect(asked.stderr).toMatch(/Its licence: mit\. Download it\? \[y\/N\][^]*Nothing was added/u);
  expect(hub.filesAsked()).not.toContain(GRAPH);
  hub.list = before;
});

test("a model of a hub is added at a commit, and answers", async () => {
  const { code, stdout, stderr } = await add("some-org/Some-NLI@v1");
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ id: "some-nli", licence: "mit", source: { name: "some-org/Some-NLI", revision: COMMIT } });
  expect(await readdir(join(home, "models"))).toEqual(["some-nli"]);
  const decided = await umpire(["decide", "--model", "some-nli", "--state", "It rains.", "--ask", "Is it dry?"], { env });
  expect((JSON.parse(decided.stdout) as { model: string }).model).toBe("some-nli");
});

test("what is no model of the hub is one sentence", async () => {
  expect((await add("some-org/Some-NLI@v9")).stderr).toMatch(/^umpire: [^\n]+\n$/u);
  expect((await add("some-org/other")).stderr).toMatch(/^umpire: [^\n]+\n$/u);
});
