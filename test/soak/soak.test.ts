import { describe, expect, it } from "vitest";
import { runScript } from "../support/child-program.ts";

/** Runs in its own process, so that the test runner's memory, threads and pauses do not affect the measurements. */
const measured = async <T>(script: string, count: number): Promise<T> => {
  const { code, stdout, stderr } = await runScript(`test/soak/${script}`, {
    args: [String(count)],
    nodeArgs: ["--expose-gc"],
    timeoutMs: 880_000,
  });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as T;
};

describe.skipIf(process.platform !== "linux")("over a long time", () => {
  // Run at the same time, because one process's memory and threads do not depend on the other's.
  it.concurrent("3,000 decides in a row: resident memory grows by less than 30 MB after the first 1,000", async () => {
    interface Resident {
      afterWarmUp: number;
      atEnd: number;
    }
    const { afterWarmUp, atEnd } = await measured<Resident>("decides.mjs", 3000);
    expect(afterWarmUp).toBeGreaterThan(50);
    expect(atEnd - afterWarmUp).toBeLessThan(30);
  });

  it.concurrent("200 deciders created and closed leave no thread, file or listener, and little memory", async () => {
    interface Open {
      threads: number;
      files: number;
      listeners: number;
    }
    interface Lives {
      before: Open;
      after: Open;
      residentAtQuarter: number;
      residentAtEnd: number;
    }
    const { before, after, residentAtQuarter, residentAtEnd } = await measured<Lives>("lives.mjs", 200);
    expect(after.threads).toBeLessThanOrEqual(before.threads);
    expect(after.files).toBeLessThanOrEqual(before.files);
    expect(after.listeners).toBeLessThanOrEqual(before.listeners);
    expect(residentAtEnd - residentAtQuarter).toBeLessThan(30);
  });
});

describe.skipIf(process.platform !== "linux")("the caller's thread", () => {
  it("is never blocked for more than a 400th of the work for a state of 20 kB and 255 options", async () => {
    const calls = await measured<{ heldMs: number; busyMs: number; workMs: number }[]>("blocking.mjs", 5);
    // Real blocking happens in every call. A shared machine adds delays only to some, even to processor time. So the best call counts.
    const shares = calls.map(({ heldMs, busyMs, workMs }) => Math.max(heldMs, busyMs) / workMs);
    console.log(`longest pauses, in ms: ${calls.map(({ heldMs, workMs }) => `${heldMs.toFixed(1)} of ${workMs.toFixed(0)}`).join(", ")}`);
    expect(Math.min(...shares)).toBeLessThan(1 / 400);
  });
});
