import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runScript } from "../../../support/child-program.ts";
import { linkedProject } from "../../../support/linked-project.ts";
import { PackCopy } from "../../../support/pack-copy.ts";
import { packageRootPath } from "../../../support/package-root.ts";
import { ASKED, TEXTS } from "../../../support/texts.ts";

/** Node 20 has the permission model under another name. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission";
const DIST = join(packageRootPath, "dist");

/** Creates a decider with the options in its first argument, and prints its device, or the error. */
const PROGRAM = `
  import { createDecider } from "umpire";
  const decider = createDecider({ threads: 1, ...JSON.parse(process.argv[2]) });
  const questions = { late: { type: "noul", instructions: ${JSON.stringify(ASKED.late)} } };
  try {
    await decider.decide({ state: ${JSON.stringify(TEXTS.late)}, questions });
    const { device, deviceReason } = await decider.info();
    console.log(JSON.stringify({ device, deviceReason }));
  } catch ({ code, message }) {
    console.log(JSON.stringify({ code, message }));
  }
  await decider.close();
`;

let project: string;
beforeAll(async () => {
  project = await linkedProject();
  await writeFile(join(project, "app.mjs"), PROGRAM);
});

/** What the program prints, and its warnings without Node's own about the flags. */
async function outcome(flags: readonly string[], options: object = {}): Promise<[unknown, string]> {
  const nodeArgs = ["--disable-warning=ExperimentalWarning", "--disable-warning=SecurityWarning", ...flags];
  const { stdout, stderr } = await runScript("app.mjs", { folder: project, nodeArgs, args: [JSON.stringify(options)] });
  return [JSON.parse(stdout), stderr];
}

const reading = (...places: readonly string[]): string[] => [join(project, "*"), ...places].map((place) => `--allow-fs-read=${place}`);
const all = (): string[] => reading(join(packageRootPath, "*"));

const ON_CPU = { device: "cpu", deviceReason: "Node's fastest device" };
const onWasm = (deviceReason: string): unknown => ({ device: "wasm", deviceReason: `cpu would be faster, but ${deviceReason}` });
const NO_ADDONS = "Node was started without the right to load native addons. Start it with --allow-addons, and without --no-addons.";
const refusal = (message: string): unknown => ({ code: "backend_unavailable", message });
const NO_READING = refusal(
  "Node's permission model keeps this program from reading umpire's files: start Node with --allow-fs-read for the folder node_modules, and for that of a model of your own.",
);
const NO_THREAD = refusal(
  "Node's permission model keeps this program from starting the thread in which the model runs: start Node with --allow-worker, or create a decider with the option inline: true.",
);

describe("a program under Node's permission model", () => {
  it("is answered as ever with all that umpire needs, also if a flag's value is an argument of its own", async () => {
    expect(await outcome([PERMISSION, ...all(), "--allow-worker", "--allow-addons"])).toEqual([ON_CPU, ""]);
    const apart = all().flatMap((flag) => flag.split("="));
    expect(await outcome([PERMISSION, "--allow-worker", "--allow-addons", ...apart])).toEqual([ON_CPU, ""]);
  });

  it("without --allow-worker is told so in a sentence, and needs none with inline", async () => {
    expect(await outcome([PERMISSION, ...all(), "--allow-addons"])).toEqual([NO_THREAD, ""]);
    expect(await outcome([PERMISSION, ...all(), "--allow-addons"], { inline: true })).toEqual([ON_CPU, ""]);
  });

  it("without --allow-addons is answered by wasm, and told why; cpu is refused with the same reason", async () => {
    const [said, warnings] = await outcome([PERMISSION, ...all(), "--allow-worker"]);
    expect(said).toEqual(onWasm(NO_ADDONS));
    expect(warnings).toContain(NO_ADDONS);
    const [refused] = await outcome([PERMISSION, ...all(), "--allow-worker"], { device: "cpu" });
    expect(refused).toEqual(refusal(expect.stringContaining(NO_ADDONS) as string));
  });

  it.each([
    ["in a worker", {}],
    ["inline", { inline: true }],
  ])("that may read umpire's scripts but not its models is told so in a sentence, %s", async (_, options) => {
    const scripts = reading(
      join(packageRootPath, "package.json"),
      join(DIST, "index.node.js"),
      join(DIST, "worker.node.cjs"),
      join(DIST, "chunks/*"),
    );
    expect(await outcome([PERMISSION, ...scripts, "--allow-worker", "--allow-addons"], options)).toEqual([NO_READING, ""]);
  });

  it("that may not read onnxruntime-node is answered by wasm, and told why; cpu is refused in a sentence", async () => {
    const flags = [PERMISSION, ...reading(join(packageRootPath, "package.json"), join(DIST, "*")), "--allow-addons"];
    const [said] = await outcome(flags, { inline: true });
    const why =
      "Node's permission model keeps this program from reading onnxruntime-node. Start Node with --allow-fs-read for the folder node_modules.";
    expect(said).toEqual(onWasm(why));
    expect(await outcome(flags, { inline: true, device: "cpu" })).toEqual([NO_READING, ""]);
  });

  it.each([
    ["in a worker, to which Node itself would give every right", {}],
    ["inline", { inline: true }],
  ])("reads no model from a folder that it may not read, %s", async (_, options) => {
    const model = (await PackCopy.make()).folder;
    const flags = [PERMISSION, "--allow-worker", "--allow-addons"];
    expect(await outcome([...flags, ...all()], { ...options, model })).toEqual([NO_READING, ""]);
    expect(await outcome([...flags, ...all(), `--allow-fs-read=${model}/*`], { ...options, model })).toEqual([ON_CPU, ""]);
  });
});

it("flags that only look like the permission model's, which no thread accepts, do not reach the worker", async () => {
  expect(await outcome(["--allow-natives-syntax"])).toEqual([ON_CPU, ""]);
});
