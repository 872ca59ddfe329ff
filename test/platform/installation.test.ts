import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/child-program.ts";
import { packageRootPath } from "../support/package-root.ts";

/** The package as installed, with a runtime of its own whose native binding can be broken. */
describe("onnxruntime-node's native binding", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "umpire-native-"));
    const modules = join(packageRootPath, "node_modules");
    await cp(join(packageRootPath, "dist"), join(folder, "dist"), { recursive: true });
    await cp(join(packageRootPath, "package.json"), join(folder, "package.json"));
    await symlink(join(packageRootPath, "models"), join(folder, "models"));
    const runtime = join(folder, "node_modules/onnxruntime-node");
    await mkdir(runtime, { recursive: true });
    for (const name of await readdir(join(modules, "onnxruntime-node"))) {
      if (name !== "bin" && name !== "node_modules")
        await cp(join(modules, "onnxruntime-node", name), join(runtime, name), { recursive: true });
    }
    await symlink(join(modules, "onnxruntime-common"), join(folder, "node_modules/onnxruntime-common"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const program = `
    import { createDecider } from "umpire";
    const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } };
    for (const inline of [false, true]) {
      const decider = createDecider({ inline });
      for (let i = 0; i < 2; i++) {
        const error = await decider.decide(request).then(() => ({ code: "answered" }), (error) => error);
        console.log(JSON.stringify({ ...error, message: error.message, cause: error.cause?.message }));
      }
    }`;

  const expectUnavailable = async (cause: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await runProgram(program, { folder });
    expect([code, stderr]).toEqual([0, ""]);
    const errors = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(errors).toHaveLength(4);
    for (const error of errors) {
      expect(error).toMatchObject({ code: "backend_unavailable", status: 503, retryable: false });
      expect(error["cause"]).toMatch(cause);
      // What is missing, here, and what to do.
      expect(error["message"]).toContain("native binding of onnxruntime-node");
      expect(error["message"]).toContain(`${process.platform}-${process.arch}`);
      expect(error["message"]).toMatch(/install umpire again/i);
    }
  };

  it("that is not there is backend_unavailable, with what to do", async () => {
    await expectUnavailable(/Cannot find module/);
  });

  it("that is no library is backend_unavailable, with what to do", async () => {
    const bin = join(folder, `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`);
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, "onnxruntime_binding.node"), "this is no library");
    await expectUnavailable(/invalid ELF header|file too short|not a valid|mach-o/i);
  });

  it("of which a part is missing is backend_unavailable, with what to do", async () => {
    const place = `bin/napi-v6/${process.platform}/${process.arch}`;
    await cp(
      join(packageRootPath, "node_modules/onnxruntime-node", place, "onnxruntime_binding.node"),
      join(folder, "node_modules/onnxruntime-node", place, "onnxruntime_binding.node"),
    );
    await expectUnavailable(/onnxruntime/);
  });
});
