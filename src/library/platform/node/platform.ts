import { NODE_DEVICES } from "./device-names.ts";
import { availableParallelism } from "node:os";
import type { CataloguedPack, Platform } from "../platform.ts";
import { usefulThreads } from "../threads.ts";
import { BASE, basePack } from "./base-package.ts";
import { packsIn, readCatalogue } from "./catalogue.ts";
import { addedModelsFolder, isHomeNamed } from "./home.ts";
import { placeOf } from "./place.ts";
import { startWorker } from "./start-worker.ts";
import type { WorkerLimits } from "./start-worker.ts";

/**
 * @param dist the folder of the built package, with the worker's script and the models. The package umpire-base is looked for from there
 * @param limits how long to wait for a worker
 * @param env where the user's models are: home.ts
 */
export function nodePlatform(dist: URL, limits?: WorkerLimits, env: NodeJS.ProcessEnv = process.env): Platform {
  const builtIn = async (): Promise<CataloguedPack[]> =>
    (await Promise.all([packsIn(new URL("umpire/models/", dist), true), basePack(dist)])).flat();
  return {
    devices: NODE_DEVICES,
    defaultThreads: usefulThreads(availableParallelism()),
    packaged: [BASE],
    builtIn,
    catalogue: async () => readCatalogue(builtIn, await addedModelsFolder(env), isHomeNamed(env)),
    placeOf,
    startWorker: () => startWorker(new URL("worker.node.cjs", dist), limits),
    loadInline: async (packUrl, options) => {
      // Imported only when needed: with a worker, the caller's thread carries neither tokenizer nor runtime.
      const [{ loadNodeEngine, packFiles }, { runtimesOfCaller }] = await Promise.all([import("./engine.ts"), import("./runtimes.ts")]);
      return loadNodeEngine(packFiles(packUrl), runtimesOfCaller(dist), options);
    },
  };
}
