import { Worker } from "node:worker_threads";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import type { WorkerThread } from "../../worker/worker-thread.ts";
import { NativeGate } from "./native-gate.ts";
import { switchOffTelemetry } from "./no-telemetry.ts";

/** Starts a worker thread that does not keep the program alive. */
export function startWorker(script: URL): WorkerThread {
  // On the caller's thread: in the worker it would be too late.
  switchOffTelemetry();
  const worker = new GatedWorker(script, new NativeGate());
  worker.unref();
  const gone = new Promise<unknown>((resolve) => {
    worker.once("error", resolve);
    worker.once("exit", (code) => {
      resolve(new Error(`the worker exited with code ${code}`));
    });
  });
  return {
    endpoint: nodeEndpoint(worker),
    gone,
    keepAlive: (keep) => {
      if (keep) worker.ref();
      else worker.unref();
    },
    terminate: async () => {
      await worker.terminate();
    },
  };
}

/** A worker that is ended neither inside native code nor before it has started. */
class GatedWorker extends Worker {
  readonly #gate: NativeGate;
  #isGone = false;

  constructor(script: URL, gate: NativeGate) {
    // The worker does not inherit the program's Node flags: workers refuse some of them, for example --input-type, and --import would load the
    // program's modules here, too.
    super(script, { name: "umpire", workerData: gate.memory, execArgv: [] });
    this.#gate = gate;
    if (gates.size === 0) process.on("exit", shutGates);
    gates.add(gate);
    this.once("exit", () => {
      this.#isGone = true;
      gates.delete(gate);
      if (gates.size === 0) process.off("exit", shutGates);
    });
  }

  override async terminate(): Promise<number> {
    await this.#gate.shutSoon(() => this.#isGone);
    return super.terminate();
  }
}

/** Gates of the live workers. A program that exits ends its workers without calling `terminate`. */
const gates = new Set<NativeGate>();

function shutGates(): void {
  for (const gate of gates) gate.shut();
}
