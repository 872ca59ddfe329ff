import { availableParallelism } from "node:os";
import { ASKED_FOR } from "../../engine/devices.ts";
import type { EngineInfo } from "../../engine/engine.ts";
import { NODE_DEVICES, usefulThreads } from "../platform.ts";
import type { CataloguedPack, Platform } from "../platform.ts";
import { BASE, basePack, packsIn, readCatalogue, addedModelsFolder, isHomeNamed, placeOf } from "./catalogue.ts";
import { startWorker } from "./start-worker.ts";
import type { WorkerLimits } from "./start-worker.ts";

/**
 * @param dist the folder of the built package, with the worker's script and the models. The package umpire-base is looked for from there
 * @param limits how long to wait for a worker
 * @param env where the user's models are: catalogue.ts
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

/** Of the device that an engine runs on. */
type Placed = Pick<EngineInfo, "device" | "deviceReason">;

/** Why the model runs on wasm, and what to do for more speed. Undefined on another device, and where wasm was asked for. */
export function fallbackNote({ device, deviceReason }: Placed): string | undefined {
  return device === "wasm" && deviceReason !== ASKED_FOR ? `the model runs on wasm. ${deviceReason}` : undefined;
}

/** @returns what warns of the fallback to wasm, for every engine that is loaded; it does so once */
export function fallbackWarning(): (info: Placed) => void {
  let hasWarned = false;
  return (info) => {
    const note = fallbackNote(info);
    if (note === undefined || hasWarned) return;
    hasWarned = true;
    process.emitWarning(`umpire: ${note} With the option device: "wasm" there is no warning.`, { code: "UMPIRE_WASM_FALLBACK" });
  };
}
