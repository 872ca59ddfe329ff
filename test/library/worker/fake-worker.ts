import { MessageChannel } from "node:worker_threads";
import { endpointOf } from "../../../src/library/platform/node/start-worker.ts";
import { makeHost, serveHost } from "../../../src/library/worker/worker-engine.ts";
import type { EngineHost, LoadInHost, WorkerThread } from "../../../src/library/worker/worker-engine.ts";
import { fakeEngine } from "../../support/fake-engine.ts";

/** A worker's host on this thread, behind a real message channel, which dies when the test says so. */
export class FakeWorker implements WorkerThread {
  readonly engine = fakeEngine();
  readonly endpoint: WorkerThread["endpoint"];
  readonly gone: Promise<unknown>;
  terminated = 0;
  /** What `keepAlive` was last told. */
  keepsProgramAlive = false;
  /** Ends the worker: nothing that was sent to it is answered any more. */
  readonly die: (cause: unknown) => void;

  constructor(load: LoadInHost = () => Promise.resolve(this.engine), change: (host: EngineHost) => EngineHost = (host) => host) {
    const { port1, port2 } = new MessageChannel();
    serveHost(change(makeHost(load)), endpointOf(port2));
    port1.unref();
    port2.unref();
    this.endpoint = endpointOf(port1);
    let settle: (cause: unknown) => void;
    this.gone = new Promise((resolve) => (settle = resolve));
    this.die = (cause) => {
      port2.close();
      settle(cause);
    };
  }

  keepAlive(keep: boolean): void {
    this.keepsProgramAlive = keep;
  }

  terminate(): Promise<void> {
    this.terminated++;
    this.die(new Error("terminated"));
    return Promise.resolve();
  }
}
