import { describe, expect, it } from "vitest";
import { runScript } from "../support/child-program.ts";

/** Each in a process of its own, so that the test runner's own memory, threads and pauses do not blur what is measured. */
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
  // Beside each other: neither memory nor threads of one process depend on the other.
  it.concurrent("5,000 decides in a row: resident memory grows by less than 30 MB after the first 500", async () => {
    interface Resident {
      afterWarmUp: number;
      atEnd: number;
    }
    const { afterWarmUp, atEnd } = await measured<Resident>("decides.mjs", 5000);
    expect(afterWarmUp).toBeGreaterThan(50);
    expect(atEnd - afterWarmUp).toBeLessThan(30);
  });

  it.concurrent("200 deciders made and closed leave no thread, no file and no listener, and little memory", async () => {
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
  // What blocks does so in every try; what a shared machine adds, by the hypervisor's hand to processor time, too, is in some. So one quiet try says it.
  it("is never held up for more than 10 ms by a state of 20 kB and 255 options", { retry: 4 }, async () => {
    const calls = await measured<{ heldMs: number; busyMs: number }[]>("blocking.mjs", 3);
    const [best, median] = calls.map(({ busyMs }) => busyMs).sort((a, b) => a - b);
    expect(best).toBeLessThan(5);
    expect(median).toBeLessThan(10);
    // Likewise, the best of the calls.
    expect(Math.min(...calls.map(({ heldMs }) => heldMs))).toBeLessThan(10);
  });
});
