import { describe, expect, it } from "vitest";
import { runScript } from "../support/child-program.ts";

/** Runs in its own process, so that the test runner's memory, threads and pauses do not affect the measurements. */
const measured = async <T>(script: string, count: number): Promise<T> => {
  const { code, stdout, stderr } = await runScript(`test/soak/${script}`, {
    args: [String(count)],
    nodeArgs: ["--expose-gc"],
    timeoutMs: 280_000,
  });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as T;
};

describe.skipIf(process.platform !== "linux")("over a long time", { timeout: 300_000 }, () => {
  // Run at the same time, because one process's memory and threads do not depend on the other's.
  it.concurrent("5,000 decides in a row: resident memory grows by less than 30 MB after the first 500", async () => {
    interface Resident {
      afterWarmUp: number;
      atEnd: number;
    }
    const { afterWarmUp, atEnd } = await measured<Resident>("decides.mjs", 5000);
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

describe.skipIf(process.platform !== "linux")("the caller's thread", { timeout: 300_000 }, () => {
  // Real blocking happens in every try. A shared machine adds delays only to some, even to processor time. So one quiet try is proof.
  it("is never blocked for more than 10 ms by a state of 20 kB and 255 options", { retry: 4 }, async () => {
    const calls = await measured<{ heldMs: number; busyMs: number }[]>("blocking.mjs", 3);
    const [best, median] = calls.map(({ busyMs }) => busyMs).sort((a, b) => a - b);
    expect(best).toBeLessThan(5);
    expect(median).toBeLessThan(10);
    // For the same reason, the best call counts.
    expect(Math.min(...calls.map(({ heldMs }) => heldMs))).toBeLessThan(10);
  });
});
