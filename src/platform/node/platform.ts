import { NODE_DEVICES } from "./device-names.ts";
import { availableParallelism } from "node:os";
import type { Platform } from "../platform.ts";
import { usefulThreads } from "../threads.ts";
import { readCatalogue } from "./catalogue.ts";
import { addedModelsFolder, isHomeNamed } from "./home.ts";
import { placeOf } from "./place.ts";
import { startWorker } from "./start-worker.ts";
import type { WorkerLimits } from "./start-worker.ts";

/**
 * @param dist the folder of the built package, with the worker's script and the models
 * @param limits how long to wait for a worker
 * @param env where the user's models are: home.ts
 */
export function nodePlatform(dist: URL, limits?: WorkerLimits, env: NodeJS.ProcessEnv = process.env): Platform {
  const models = new URL("umpire/models/", dist);
  return {
    devices: NODE_DEVICES,
    defaultThreads: usefulThreads(availableParallelism()),
    builtIn: () => readCatalogue(models, undefined),
    catalogue: async () => readCatalogue(models, await addedModelsFolder(env), isHomeNamed(env)),
    placeOf,
    startWorker: () => startWorker(new URL("worker.node.cjs", dist), limits),
    loadInline: async (packUrl, options) => {
      // Imported only when needed: with a worker, the caller's thread carries neither tokenizer nor runtime.
      const [{ loadNodeEngine, packFiles }, { runtimesOfCaller }] = await Promise.all([import("./engine.ts"), import("./runtimes.ts")]);
      return loadNodeEngine(packFiles(packUrl), runtimesOfCaller(dist), options);
    },
  };
}
