import { catalogue } from "umpire:catalogue";
import { DecideError } from "../../errors.ts";
import type { WorkerThread } from "../../worker/worker-thread.ts";
import type { Platform } from "../platform.ts";
import { usefulThreads } from "../threads.ts";
import { BUILT_IN } from "./built-in.ts";

/** The page's side: it starts workers, and knows names. Everything else is the worker's. */
export const browserPlatform: Platform = {
  devices: ["webgpu", "wasm"],
  get defaultThreads() {
    // Some browsers keep the number to themselves.
    return usefulThreads(navigator.hardwareConcurrency || 2);
  },
  catalogue: () => Promise.resolve(catalogue.map((pack) => ({ ...pack, url: `${BUILT_IN}${pack.id}` }))),
  placeOf,
  startWorker: (assets) => watched(() => started(assets)),
};

function placeOf(model: string | URL): string | undefined {
  if (typeof model === "string" && !model.includes("/")) return undefined;
  try {
    return asFolder(model);
  } catch (cause) {
    throw new DecideError(
      "model_not_found",
      "A model's place must be a folder's URL without a query, or a path on the page's origin, which the given one is not.",
      {
        cause,
      },
    );
  }
}

function asFolder(place: string | URL): string {
  // A page's own worker may decide, too.
  const url = new URL(place, typeof document === "undefined" ? location.href : document.baseURI);
  if (url.search !== "" || url.hash !== "") throw new TypeError("a folder's URL has no query and no fragment");
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url.href;
}

function started(assets: string | undefined): Worker {
  // Written out, and in this order, because bundlers look for exactly this. Both URLs are those of the built package (build.mjs). webpack calls its
  // chunk by the worker's name, and fails where a page calls one of its own so, as it may call the chunk of `import("umpire")` "umpire".
  if (assets === undefined) return new Worker(new URL("./umpire/worker.js", import.meta.url), { type: "module", name: "umpire-worker" });
  return new Worker(new URL("worker.js", asFolder(assets)), { type: "module", name: "umpire-worker" });
}

function watched(start: () => Worker): WorkerThread {
  let worker: Worker;
  try {
    worker = start();
  } catch (cause) {
    return { endpoint: new MessageChannel().port1, gone: Promise.resolve(blocked(cause)), keepAlive, terminate: () => Promise.resolve() };
  }
  let ended: (cause: unknown) => void = () => undefined;
  const gone = new Promise<unknown>((resolve) => (ended = resolve));
  let alive = false;
  worker.addEventListener("message", () => (alive = true), { once: true });
  // Before it has said anything, its script could not be loaded; later, an error that nobody caught leaves a worker as it was.
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    if (!alive) ended(blocked(new Error(event.message || "the browser says no more")));
  });
  return {
    endpoint: worker,
    gone,
    keepAlive,
    terminate: () => {
      worker.terminate();
      ended(undefined);
      return Promise.resolve();
    },
  };
}

/** A page lives as long as it is open. */
function keepAlive(): void {
  // Nothing to do.
}

function blocked(cause: unknown): DecideError {
  const message =
    "The worker that runs the model could not be started. Its script, umpire/worker.js, must lie beside the bundle or in the folder that the option assets names, be served from the page's own origin as JavaScript, and be allowed by the page's Content-Security-Policy (worker-src or script-src 'self').";
  return new DecideError("backend_unavailable", message, { cause });
}
