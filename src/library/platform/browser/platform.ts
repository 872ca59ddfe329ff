import { catalogue } from "umpire:catalogue";
import { DecideError } from "../../../errors.ts";
import type { WorkerThread } from "../../worker/protocol.ts";
import { usefulThreads, BROWSER_DEVICES, type CataloguedPack, type Platform } from "../platform.ts";
import { asFolder, BASE, BUILT_IN } from "./file-cache.ts";

/** The page's side of the platform: names, and workers to start. The worker does everything else (engine.ts). */
export const browserPlatform: Platform = {
  devices: BROWSER_DEVICES,
  get defaultThreads() {
    // Some browsers do not tell the number of processors.
    return usefulThreads(navigator.hardwareConcurrency || 2);
  },
  builtIn,
  catalogue: builtIn,
  placeOf,
  unlisted: (id) => (id === BASE ? BUILT_IN + BASE : undefined),
  startWorker,
};

function builtIn(): Promise<readonly CataloguedPack[]> {
  return Promise.resolve(catalogue.map((pack) => ({ ...pack, url: `${BUILT_IN}${pack.id}`, isBuiltIn: true })));
}

function placeOf(model: string | URL): string | undefined {
  if (typeof model === "string" && !model.includes("/")) return undefined;
  try {
    return asFolder(model);
  } catch (cause) {
    const message =
      "The option model names a place, but not a folder that can be fetched. Give the folder's URL without a query, or a path on the page's origin.";
    throw new DecideError("model_not_found", message, { cause });
  }
}

/**
 * Starts the worker, from beside the page's script or from the folder `assets`. A script that cannot be loaded makes the worker end with
 * `backend_unavailable`.
 */
export function startWorker(assets: string | undefined): WorkerThread {
  let worker: Worker;
  try {
    worker = makeWorker(assets);
  } catch (cause) {
    return { endpoint: new MessageChannel().port1, gone: Promise.resolve(blocked(cause)), terminate: () => Promise.resolve() };
  }
  let ended: (cause: unknown) => void = () => undefined;
  const gone = new Promise<unknown>((resolve) => (ended = resolve));
  let alive = false;
  worker.addEventListener("message", () => (alive = true), { once: true });
  // An error before the worker's first message means that its script could not be loaded. Later, an uncaught error does not end a worker.
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    if (!alive) ended(blocked(new Error(event.message || "the browser gives no reason")));
  });
  return {
    endpoint: worker,
    gone,
    terminate: () => {
      worker.terminate();
      ended(undefined);
      return Promise.resolve();
    },
  };
}

function makeWorker(assets: string | undefined): Worker {
  // Bundlers look for exactly this expression, with a literal path. The path is that of the built package (build.mjs). webpack names its chunk after
  // the worker, and fails when the page has a chunk of the same name; `import("umpire")` may be named "umpire".
  if (assets === undefined) return new Worker(new URL("./umpire/worker.js", import.meta.url), { type: "module", name: "umpire-worker" });
  return new Worker(new URL("worker.js", asFolder(assets)), { type: "module", name: "umpire-worker" });
}

function blocked(cause: unknown): DecideError {
  const message =
    "The worker that runs the model could not be started. Its script, umpire/worker.js, must lie beside the bundle or in the folder that the option assets names. It must be served from the page's own origin, as JavaScript, and be allowed by the page's Content-Security-Policy (worker-src or script-src 'self').";
  return new DecideError("backend_unavailable", message, { cause });
}
