import { cp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PREBUILT } from "../../src/library/platform/node/native-binding.ts";
import { runProgram, runScript } from "../support/child-program.ts";
import { MODELS, PackageCopy } from "../support/package-copy.ts";
import { packageRootPath } from "../support/package-root.ts";

let copy: PackageCopy;
beforeEach(async () => {
  copy = await PackageCopy.make();
});
afterEach(() => copy.remove());

/** Prints what comes of a call on each device that is named, in a worker or, where it says "inline", on the caller's thread. */
const PROGRAM = `
  import { DecideError, createDecider } from "umpire";
  const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } };
  for (const place of process.argv.at(-1).split(",")) {
    const [device, inline] = place.split(" ");
    const decider = createDecider({ device, inline: inline !== undefined, threads: 1 });
    const outcome = await decider.decide(request).then(
      async () => { const { device, deviceReason } = await decider.info(); return { ran: device, deviceReason }; },
      (error) => ({ ...error, message: error.message, cause: error.cause?.message, ours: error instanceof DecideError }),
    );
    console.log(JSON.stringify(outcome));
  }`;

/** The warning, with its code and what to do, and after it only what Node adds. */
const ONE_WARNING =
  /^\(node:\d+\) \[UMPIRE_WASM_FALLBACK\] Warning: umpire: the model runs on wasm\. cpu would be faster, but .*\n\(Use `node .*\)\n$/u;

type Outcome = Readonly<Record<string, unknown>>;

/** @param said what is expected on standard error */
async function outcomes(places: readonly string[], said = /^$/u): Promise<Outcome[]> {
  const { code, stdout, stderr } = await runProgram(PROGRAM, { folder: copy.folder, args: [places.join()], timeoutMs: 100_000 });
  expect(code).toBe(0);
  expect(stderr).toMatch(said);
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(places.length);
  return lines.map((line) => JSON.parse(line) as Outcome);
}

/** @param words what the reason and the error must say @param cause what the error's cause must say */
async function expectWasmAlone(words: readonly (string | RegExp)[], cause: RegExp, autoPlaces = ["auto"]): Promise<void> {
  const all = await outcomes(["cpu", "cpu inline", ...autoPlaces], ONE_WARNING);
  for (const outcome of all.slice(0, 2)) {
    expect(outcome).toMatchObject({ ours: true, code: "backend_unavailable", status: 503, retryable: false });
    for (const text of [...words, "device cpu", "use the device wasm"]) expect(outcome["message"]).toMatch(text);
    expect(outcome["cause"]).toMatch(cause);
  }
  for (const outcome of all.slice(2)) {
    expect(outcome).toMatchObject({ ran: "wasm", deviceReason: expect.stringMatching(/^cpu would be faster, but /) as string });
    for (const text of words) expect(outcome["deviceReason"]).toMatch(text);
  }
}

describe("where onnxruntime-node's native binding does not load, auto takes wasm, and cpu is refused; both say why and what to do:", () => {
  const broken = ["native binding of onnxruntime-node", `${process.platform}-${process.arch}`, /install umpire again/i];

  it("when onnxruntime-node is not installed", async () => {
    await rm(join(copy.folder, "node_modules/onnxruntime-node"), { recursive: true });
    await expectWasmAlone(["onnxruntime-node is not installed", "npm install --ignore-scripts"], /Cannot find package/);
  });

  it("when neither it nor what it depends on is installed", async () => {
    await rm(join(copy.folder, "node_modules"), { recursive: true });
    await expectWasmAlone(["onnxruntime-node is not installed"], /Cannot find package/, ["auto", "auto inline"]);
  });

  it("when the binding is missing", async () => {
    await expectWasmAlone(broken, /Cannot find module/);
  });

  it("when its file is not a library", async () => {
    await writeFile(copy.nativeFile("onnxruntime_binding.node"), "this is not a library");
    await expectWasmAlone(broken, /invalid ELF header|file too short|not a valid|mach-o/i);
  });

  it("when the library that it depends on is missing", async () => {
    // Copied rather than linked, because it looks for the other library beside itself.
    const real = join(packageRootPath, copy.nativeFile("onnxruntime_binding.node").slice(copy.folder.length));
    await cp(real, copy.nativeFile("onnxruntime_binding.node"));
    await expectWasmAlone(broken, /onnxruntime/);
  });
});

it("without a native binding, umpire decide says so once on standard error, with what to do, and answers", async () => {
  await symlink(join(packageRootPath, "node_modules/commander"), join(copy.folder, "node_modules/commander"));
  const args = ["decide", "--state", "It rained all day.", "--ask", "Is this about the weather?", "--ask", "Is it spam?"];
  const { code, stdout, stderr } = await runScript(join(copy.folder, "dist/cli.js"), { args, folder: copy.folder });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^umpire: the model runs on wasm\. cpu would be faster, but .*Install umpire again.*\n$/u);
  expect(Object.keys((JSON.parse(stdout) as { answers: object }).answers)).toHaveLength(2);
  const asked = await runScript(join(copy.folder, "dist/cli.js"), { args: [...args, "--device", "wasm"], folder: copy.folder });
  expect(asked).toMatchObject({ code: 0, stderr: "", stdout });
});

it("where the native binding loads, auto takes cpu, and wasm can be asked for", async () => {
  for (const name of await PackageCopy.nativeFiles()) await copy.linkNativeFile(name);
  expect(await outcomes(["auto", "auto inline", "cpu", "wasm"])).toEqual([
    { ran: "cpu", deviceReason: "Node's fastest device" },
    { ran: "cpu", deviceReason: "Node's fastest device" },
    { ran: "cpu", deviceReason: "asked for" },
    { ran: "wasm", deviceReason: "asked for" },
  ]);
});

it.each(["umpire/ort-wasm-simd-threaded.wasm", "ort-wasm-simd-threaded.mjs"])(
  "without the wasm runtime's %s, wasm is refused, and auto runs on cpu",
  async (file) => {
    await rm(join(copy.folder, "dist", file));
    for (const name of await PackageCopy.nativeFiles()) await copy.linkNativeFile(name);
    const [worker, inline, auto] = await outcomes(["wasm", "wasm inline", "auto"]);
    for (const outcome of [worker, inline]) {
      expect(outcome).toMatchObject({ ours: true, code: "backend_unavailable" });
      expect(outcome?.["message"]).toMatch(/Install umpire again/);
      expect(outcome?.["message"]).not.toContain(copy.folder);
    }
    expect(auto).toMatchObject({ ran: "cpu" });
  },
);

it("the list of systems with a native binding is that of onnxruntime-node", async () => {
  const bin = join(packageRootPath, "node_modules/onnxruntime-node/bin/napi-v6");
  const systems = await Promise.all(
    (await readdir(bin)).map(async (system) => (await readdir(join(bin, system))).map((processor) => `${system}-${processor}`)),
  );
  expect([...PREBUILT].sort()).toEqual(systems.flat().sort());
});

describe("without the package's models", () => {
  it("a call fails with a DecideError rather than an error of the file system", async () => {
    await rm(join(copy.folder, MODELS));
    for (const error of await outcomes(["cpu", "cpu inline"])) {
      expect(error["ours"]).toBe(true);
      expect(error["code"]).toBe("backend_unavailable");
      expect(error["message"]).not.toContain(copy.folder);
    }
  });

  it("a call works as soon as the models are there", async () => {
    await rm(join(copy.folder, MODELS));
    for (const name of await PackageCopy.nativeFiles()) await copy.linkNativeFile(name);
    const program = `
      import { renameSync } from "node:fs";
      import { decide } from "umpire";
      const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } };
      console.log(await decide(request).catch(({ name }) => name));
      renameSync("models-elsewhere", "${MODELS}");
      console.log((await decide(request)).model);`;
    await cp(join(packageRootPath, "models/umpire-2"), join(copy.folder, "models-elsewhere/umpire-2"), { recursive: true });
    const { stdout, code } = await runProgram(program, { folder: copy.folder });
    expect([code, stdout]).toEqual([0, "DecideError\numpire-2\n"]);
  });
});
