import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { beforeEach, describe, expect, it } from "vitest";
import { startWorker } from "../../../../src/library/platform/node/start-worker.ts";
import { endless } from "../../../support/endless-graph.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { PackCopy } from "../../../support/pack-copy.ts";
import { runSource } from "../../../support/source-program.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);

let pack: PackCopy;
beforeEach(async () => {
  pack = await PackCopy.make();
});

/** The pack's graph never ends, and its seal says that this is so. */
async function neverEnds(graph: string): Promise<void> {
  await pack.write(graph, endless(await pack.read(graph)));
  await pack.seal();
}

describe("a worker whose model is not ready in time is ended", () => {
  it.each([
    ["in a loop", "for (;;);"],
    ["in a regular expression", `/(a+)+$/.test("a".repeat(100) + "b");`],
    ["waiting for what does not come", "await new Promise((resolve) => setTimeout(resolve, 1e9));"],
  ])("when it is %s", async (_, script) => {
    let started: Worker | undefined;
    process.once("worker", (worker) => (started = worker));
    const worker = startWorker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { loadMs: 300, nativeMs: 50 });
    worker.keepAlive?.(true);
    expect(await worker.gone).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringMatching(/not ready within 0\.3 seconds.*another model/) as string,
    });
    if (started !== undefined && started.threadId !== -1) await once(started, "exit");
    await worker.terminate();
  });
});

describe("a worker whose model is ready in time", () => {
  it("goes on, although its caller was too busy to notice until after that time", async () => {
    const cells = new Int32Array(new SharedArrayBuffer(4));
    process.once("worker", (worker) => {
      worker.postMessage(cells);
    });
    const script = `
      import { parentPort } from "node:worker_threads";
      parentPort.on("message", (cells) => {
        parentPort.postMessage("loaded");
        Atomics.store(cells, 0, 1);
        Atomics.notify(cells, 0);
      });`;
    const worker = startWorker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { loadMs: 300, nativeMs: 50 });
    let cause: unknown;
    void worker.gone.then((why) => (cause = why));
    await nextTurn();
    Atomics.wait(cells, 0, 0);
    // Now the timer is late, and the message is there.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 350);
    for (let i = 0; i < 5; i++) await nextTurn();
    expect(cause).toBeUndefined();
    await worker.terminate();
  });
});

/** A program that loads the pack with these limits, closes its decider, and does what follows. */
const loading = (device: string, limits: object, then: string): string => `
  import { createDeciderOn } from "./src/library/decider/create-decider.ts";
  import { nodePlatform } from "./src/library/platform/node/platform.ts";
  const platform = nodePlatform(new URL(${JSON.stringify(DIST.href)}), ${JSON.stringify(limits)});
  const decider = createDeciderOn(platform, { model: ${JSON.stringify(pack.folder)}, device: "${device}", threads: 2 });
  for (const call of [decider.info(), decider.info()])
    await call.catch(({ code, message }) => console.log(code, message.match(/^The model was not ready within .* seconds/)?.[0]));
  console.log(decider.stats().workersStarted);
  await decider.close();
  console.log("closed");
  ${then}`;

describe("a graph that never ends in WebAssembly", () => {
  it("is ended with its worker: calls fail, the decider closes, and the program ends as usual", async () => {
    await neverEnds("int8.onnx");
    const { code, stdout, stderr } = await runSource(loading("wasm", { loadMs: 1500 }, ""));
    const late = "backend_unavailable The model was not ready within 1.5 seconds\n";
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${late}${late}1\nclosed\n`, stderr: "" });
  });
});

describe("a graph that never ends in native code, where no thread can be ended,", () => {
  it.each([
    ["ends", ""],
    ["exits", "process.exit(3);"],
  ])("is left behind: calls fail, the decider closes, and the program that then %s does so by force and says so", async (_, then) => {
    await neverEnds("probe.onnx");
    const { signal, stdout, stderr } = await runSource(loading("cpu", { loadMs: 3000, nativeMs: 100 }, then));
    const late = "backend_unavailable The model was not ready within 3 seconds\n";
    expect(stdout).toBe(`${late}${late}1\nclosed\n`);
    expect(stderr).toMatch(/^umpire: the program ends by SIGKILL, because a thread of it does not return from native code\.\n$/);
    expect(signal).toBe("SIGKILL");
  });
});
