import { createDecider } from "umpire";
import { readdir } from "node:fs/promises";
import type { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/child-program.ts";
import { catTokens, longRequest, quickRequest } from "../support/long-requests.ts";
import { decideError, rejection } from "../support/rejection.ts";

/** What wasm must do on Node that the native binding does, too: its runtime has threads of its own, and files to read. */

/** Threads of this process, the runtime's among them. Linux only. */
const threadsNow = async (): Promise<number> => (process.platform === "linux" ? (await readdir("/proc/self/task")).length : 0);

const countOfOpenFiles = async (): Promise<number> => (process.platform === "linux" ? (await readdir("/proc/self/fd")).length : 0);

/** Ends when the process has no more threads than before; the test's time limit is the only other end. */
async function untilThreadsAre(count: number): Promise<void> {
  while ((await threadsNow()) > count) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("a decider on wasm", () => {
  it("has the threads that were asked for, and gives the same answer with any number of them", async () => {
    const answers: unknown[] = [];
    for (const threads of [1, 3]) {
      const before = await threadsNow();
      await using decider = await createDecider({ device: "wasm", threads });
      expect(await decider.info()).toMatchObject({ device: "wasm", graph: "int8", threads });
      if (process.platform === "linux") expect((await threadsNow()) - before).toBeGreaterThanOrEqual(threads);
      answers.push(await decider.decide(quickRequest));
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  it("has one thread with inline, and leaves the program's globals as they were", async () => {
    const before = Object.getOwnPropertyNames(globalThis);
    await using decider = await createDecider({ device: "wasm", threads: 2, inline: true });
    expect((await decider.info()).threads).toBe(1);
    expect((await decider.decide(quickRequest)).answers.late.noul).toBeGreaterThan(0.5);
    expect(Object.getOwnPropertyNames(globalThis)).toEqual(before);
  });

  it("ends its runtime's threads and closes its files with close()", async () => {
    const [threads, files] = [await threadsNow(), await countOfOpenFiles()];
    for (let i = 0; i < 2; i++) {
      const decider = createDecider({ device: "wasm", threads: 3 });
      await decider.decide(quickRequest);
      await decider.close();
    }
    await untilThreadsAre(threads);
    expect(await countOfOpenFiles()).toBe(files);
  });

  it("ends them with its worker, too, whenever that dies, and the next call works", async () => {
    const workers: Worker[] = [];
    const onWorker = (worker: Worker): void => void workers.push(worker);
    process.on("worker", onWorker);
    try {
      const threads = await threadsNow();
      const files = await countOfOpenFiles();
      const decider = createDecider({ device: "wasm", threads: 2 });
      for (const isLoading of [true, false]) {
        const lost = decideError(() => decider.decide(longRequest));
        if (!isLoading) await decider.info();
        while (workers.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        // While it loads: anywhere between the start of the worker and that of the runtime.
        await new Promise((resolve) => setTimeout(resolve, 150));
        await workers.pop()?.terminate();
        expect(await lost).toMatchObject({ code: "worker_lost", retryable: true });
      }
      expect((await decider.decide(quickRequest)).model).toBe("umpire-2");
      await decider.close();
      await untilThreadsAre(threads);
      expect(await countOfOpenFiles()).toBe(files);
    } finally {
      process.off("worker", onWorker);
    }
  });

  it("hears an abort between two runs", async () => {
    await using decider = await createDecider({ device: "wasm", threads: 2 });
    const controller = new AbortController();
    const aborted = rejection(() => decider.decide(longRequest, { signal: controller.signal }));
    const next = decider.decide(quickRequest);
    setTimeout(() => {
      controller.abort("enough");
    }, 300);
    expect(await aborted).toBe("enough");
    // The long request would take longer than this test may.
    expect((await next).answers.late.noul).toBeGreaterThan(0.5);
  });
});

describe("a program with a decider on wasm", () => {
  const REQUEST = JSON.stringify(quickRequest);
  const LONG = JSON.stringify({ ...quickRequest, state: catTokens(12_000) });

  it.each(["threads: 2", "inline: true"])("ends by itself, without close() (%s)", async (options) => {
    const source = `
      import { createDecider } from "umpire";
      console.log((await createDecider({ device: "wasm", ${options} }).decide(${REQUEST})).model);`;
    expect(await runProgram(source, { timeoutMs: 100_000 })).toMatchObject({ code: 0, signal: null, stdout: "umpire-2\n", stderr: "" });
  });

  it.each([
    ["while it loads", 150],
    ["while its runtime starts", 700],
  ])("keeps its exit code when it ends %s", async (_, afterMs) => {
    const source = `
      import { createDecider } from "umpire";
      void createDecider({ device: "wasm", threads: 2 }).decide(${REQUEST});
      setTimeout(() => process.exit(3), ${afterMs});`;
    expect(await runProgram(source, { timeoutMs: 100_000 })).toMatchObject({ code: 3, signal: null, stderr: "" });
  });

  it("keeps its exit code when it ends during a call", async () => {
    const source = `
      import { createDecider } from "umpire";
      const decider = await createDecider({ device: "wasm", threads: 2 });
      void decider.decide(${LONG});
      setTimeout(() => process.exit(3), 100);`;
    expect(await runProgram(source, { timeoutMs: 100_000 })).toMatchObject({ code: 3, signal: null, stderr: "" });
  });
});
