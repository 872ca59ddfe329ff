import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../support/child-program.ts";
import { MODELS, PackageCopy } from "../../support/package-copy.ts";
import { packageRootPath } from "../../support/package-root.ts";

let copy: PackageCopy;
beforeEach(async () => {
  copy = await PackageCopy.make();
});
afterEach(() => copy.remove());

/** Prints the errors of two calls in a worker and of two on the caller's thread. */
const PROGRAM = `
  import { DecideError, createDecider } from "umpire";
  const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } };
  for (const inline of [false, true]) {
    const decider = createDecider({ inline });
    for (let i = 0; i < 2; i++) {
      const error = await decider.decide(request).then(({ model }) => new Error(model), (error) => error);
      const { message, cause } = error;
      console.log(JSON.stringify({ ...error, message, cause: cause?.message, ours: error instanceof DecideError }));
    }
  }`;

async function errors(): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runProgram(PROGRAM, { folder: copy.folder });
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(4);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("without onnxruntime-node's native binding, a call fails with backend_unavailable and says what to do:", () => {
  const expectUnavailable = async (cause: RegExp): Promise<void> => {
    for (const error of await errors()) {
      expect(error).toMatchObject({ ours: true, code: "backend_unavailable", status: 503, retryable: false });
      expect(error["cause"]).toMatch(cause);
      // What is missing, where, and what to do.
      expect(error["message"]).toContain("native binding of onnxruntime-node");
      expect(error["message"]).toContain(`${process.platform}-${process.arch}`);
      expect(error["message"]).toMatch(/install umpire again/i);
    }
  };

  it("when the binding is missing", async () => {
    await expectUnavailable(/Cannot find module/);
  });

  it("when its file is not a library", async () => {
    await writeFile(copy.nativeFile("onnxruntime_binding.node"), "this is not a library");
    await expectUnavailable(/invalid ELF header|file too short|not a valid|mach-o/i);
  });

  it("when the library that it depends on is missing", async () => {
    // Copied rather than linked, because it looks for the other library beside itself.
    const real = join(packageRootPath, copy.nativeFile("onnxruntime_binding.node").slice(copy.folder.length));
    await cp(real, copy.nativeFile("onnxruntime_binding.node"));
    await expectUnavailable(/onnxruntime/);
  });

  it("and with all native files, the call is answered", async () => {
    for (const name of await PackageCopy.nativeFiles()) await copy.linkNativeFile(name);
    for (const error of await errors()) expect(error).toMatchObject({ ours: false, message: "umpire-2" });
  });
});

describe("without the package's models", () => {
  it("a call fails with a DecideError rather than an error of the file system", async () => {
    await rm(join(copy.folder, MODELS));
    for (const error of await errors()) {
      expect(error["ours"]).toBe(true);
      expect(["internal", "model_not_found"]).toContain(error["code"]);
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
