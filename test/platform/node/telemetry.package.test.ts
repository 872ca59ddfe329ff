import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../../support/child-program.ts";

// onnxruntime sends its events some seconds later, but writes an identifier and the waiting events to the home folder at once.
it.each(["in a worker", "on the caller's thread"])(
  "a decider %s leaves no telemetry: no identifier, and no events waiting to be sent",
  async (where) => {
    const home = await mkdtemp(join(tmpdir(), "umpire-home-"));
    const source = `
    import { readdirSync, readlinkSync } from "node:fs";
    // onnxruntime sends nothing when it finds itself in continuous integration: the program must look like a user's.
    for (const name of ["CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS"]) delete process.env[name];
    for (const name of ["HOME", "XDG_CACHE_HOME", "TMPDIR"]) process.env[name] = process.argv.at(-1);
    const { createDecider } = await import("umpire");
    const decider = await createDecider({ inline: ${String(where !== "in a worker")} });
    const { model } = await decider.decide({ state: "s", questions: { q: { type: "noul", instructions: "?" } } });
    const files = process.platform === "linux" ? readdirSync("/proc/self/fd") : [];
    const targets = files.map((file) => { try { return readlinkSync("/proc/self/fd/" + file); } catch { return ""; } });
    console.log(JSON.stringify([model, targets.filter((target) => /onnxruntime\\.db|mat-debug/.test(target))]));
    await decider.close();`;
    try {
      const { code, stdout, stderr } = await runProgram(source, { args: [home] });
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toEqual(["umpire-2", []]);
      expect(await readdir(home, { recursive: true })).toEqual([]);
    } finally {
      await rm(home, { recursive: true });
    }
  },
);
