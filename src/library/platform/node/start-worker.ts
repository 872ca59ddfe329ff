import { writeSync } from "node:fs";
import { Worker, isMainThread } from "node:worker_threads";
import { DecideError } from "../../../errors.ts";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import type { WorkerThread } from "../../worker/protocol.ts";
import { NativeGuard } from "./native-guard.ts";
import { permissionFlags } from "./permission.ts";
import { switchOffTelemetry } from "./telemetry.ts";

/** Data for the worker's script. */
export interface NodeWorkerData {
  /** Memory of its `NativeGuard`. */
  readonly guardMemory: SharedArrayBuffer;
  /** In the worker itself it would be too late to switch it off. */
  readonly isTelemetryOff: boolean;
}

/** How long to wait for a worker, in ms. */
export interface WorkerLimits {
  /** For its model: start of the thread, reading, session and self-test. Default: 120,000. */
  readonly loadMs?: number;
  /** For native code to return before the worker is ended. Default: 10,000. */
  readonly nativeMs?: number;
}

/** Loading takes a second or so. A machine that is busy, slow or short of memory may need a hundred times as long. */
const LOAD_MS = 120_000;
const STDERR = 2;

/** Starts a worker thread that does not keep the program alive. */
export function startWorker(script: URL, { loadMs = LOAD_MS, nativeMs }: WorkerLimits = {}): WorkerThread {
  const worker = new GuardedWorker(script, new NativeGuard(undefined, nativeMs));
  worker.unref();
  let over: (cause: unknown) => void = () => undefined;
  const gone = new Promise<unknown>((resolve) => (over = resolve));
  const lose = (cause: unknown): void => {
    clearTimeout(late);
    over(cause);
  };
  const terminate = async (): Promise<void> => {
    // No answer is to be expected from a worker that cannot be ended, either.
    if (!(await worker.end())) lose(new Error("the worker is inside native code, which does not return"));
  };
  let isLoaded = false;
  const late = setTimeout(() => {
    // A program that was busy, or held by a debugger, reads the messages that came meanwhile only after its timers.
    setImmediate(() => {
      if (isLoaded) return;
      const message = `The model was not ready within ${loadMs / 1000} seconds, so its loading was ended. Either its pack is not fit to run here, or this machine is too busy or too slow: try again when it is idle, or use another model.`;
      lose(new DecideError("backend_unavailable", message));
      void terminate();
    });
  }, loadMs).unref();
  // The first message is the outcome of the loading (worker/protocol.ts).
  worker.once("message", () => {
    isLoaded = true;
    clearTimeout(late);
  });
  worker.once("error", lose);
  worker.once("exit", (code) => {
    lose(new Error(`the worker exited with code ${code}`));
  });
  return {
    endpoint: nodeEndpoint(worker),
    gone,
    keepAlive: (keep) => {
      if (keep) worker.ref();
      else worker.unref();
    },
    terminate,
  };
}

/** A worker that is ended neither inside native code nor before it has started. */
class GuardedWorker extends Worker {
  readonly #guard: NativeGuard;
  #isGone = false;

  constructor(script: URL, guard: NativeGuard) {
    const workerData: NodeWorkerData = { guardMemory: guard.memory, isTelemetryOff: switchOffTelemetry() };
    // The worker does not inherit the program's Node flags: workers refuse some of them, for example --input-type, and --import would load the
    // program's modules here, too. What the program may not do, it may not do either.
    super(script, { name: "umpire", workerData, execArgv: permissionFlags() });
    this.#guard = guard;
    if (guards.size === 0) process.on("exit", shutGuards);
    guards.add(guard);
    this.once("exit", () => {
      this.#isGone = true;
      guards.delete(guard);
      if (guards.size === 0) process.off("exit", shutGuards);
    });
  }

  /** Ends it. @returns whether it has ended; if not, it will as soon as its native code returns */
  async end(): Promise<boolean> {
    if (await this.#guard.shutSoon(() => this.#isGone)) {
      await super.terminate();
      return true;
    }
    this.unref();
    void this.#guard.free().then(() => super.terminate());
    return false;
  }

  override async terminate(): Promise<number> {
    await this.end();
    return 1;
  }
}

/** Guards of the live workers. A program that exits ends its workers without calling `terminate`. */
const guards = new Set<NativeGuard>();

function shutGuards(): void {
  const areFree = [...guards].map((guard) => guard.shut());
  // A worker thread of the program may not end the program.
  if (!isMainThread || areFree.every(Boolean)) return;
  // Node would wait for the thread for ever, and so would whoever waits for this program.
  writeSync(STDERR, "umpire: the program ends by SIGKILL, because a thread of it does not return from native code.\n");
  process.kill(process.pid, "SIGKILL");
}
