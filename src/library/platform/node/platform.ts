import { existsSync } from "node:fs";
import Module from "node:module";
import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { ASKED_FOR } from "../../engine/devices.ts";
import type { EngineInfo } from "../../engine/engine.ts";
import { DecideError } from "../../../errors.ts";
import { version } from "../../../version.ts";
import { NODE_DEVICES, usefulThreads, type CataloguedPack, type Platform } from "../platform.ts";
import { BASE, basePack, packsIn, readCatalogue, addedModelsFolder, isHomeNamed, placeOf } from "./catalogue.ts";
import { allowed, asRefusal } from "./permission.ts";
import { startWorker, type WorkerLimits } from "./start-worker.ts";

/** In the folder of the built package. */
const WORKER = "worker.node.cjs";
const MODELS = "umpire/models/";

/**
 * @param dist the folder of the built package, with the worker's script and the models, or what finds it when it is needed. The package umpire-base is looked
 * for from there
 * @param limits how long to wait for a worker
 * @param env where the user's models are: catalogue.ts
 */
export function nodePlatform(dist: URL | (() => URL), limits?: WorkerLimits, env: NodeJS.ProcessEnv = process.env): Platform {
  const found = typeof dist === "function" ? dist : () => dist;
  const packsOf = async (folder: URL): Promise<CataloguedPack[]> =>
    (await Promise.all([packsIn(new URL(MODELS, folder), true), basePack(folder)])).flat();
  const builtIn = (): Promise<CataloguedPack[]> => allowed(() => packsOf(found()));
  return {
    devices: NODE_DEVICES,
    defaultThreads: usefulThreads(availableParallelism()),
    packaged: [BASE],
    builtIn,
    catalogue: async () => readCatalogue(builtIn, await addedModelsFolder(env), isHomeNamed(env)),
    placeOf,
    startWorker: () => {
      try {
        return startWorker(new URL(WORKER, found()), limits);
      } catch (error) {
        throw asRefusal(error);
      }
    },
    loadInline: (packUrl, options) =>
      allowed(async () => {
        // Imported only when needed: with a worker, the caller's thread carries neither tokenizer nor runtime.
        const [{ loadNodeEngine, packFiles }, { nodeRuntimes }] = await Promise.all([import("./engine.ts"), import("./runtimes.ts")]);
        return loadNodeEngine(packFiles(packUrl), nodeRuntimes(found()), options);
      }),
  };
}

/**
 * The folder of the built package: that of its script or, for a script that is part of a bundle, that of the umpire which is installed where the bundle is, or
 * the program.
 * @param script URL of the script; undefined in a bundle in CommonJS
 * @throws {DecideError} `backend_unavailable` where there is none, or one of another version
 */
export function packageFolder(script: string | undefined): URL {
  const own = (): URL => new URL("./", script);
  let cause: unknown;
  for (const folderOf of [own, () => installedFor(script), () => installedFor(__filename), () => installedFor(process.argv[1])]) {
    try {
      const folder = folderOf();
      if ([WORKER, MODELS].every((name) => existsSync(new URL(name, folder)))) return folder;
    } catch (error) {
      // Only CommonJS has a __filename.
      if (!(error instanceof ReferenceError)) cause = error;
    }
  }
  const message = `umpire ${version} does not find its worker and its models where this program runs: keep it out of the bundle (esbuild: --external:umpire, webpack: externals, Next: serverExternalPackages: ["umpire"]), and deploy the whole folder node_modules/umpire with the program.`;
  throw new DecideError("backend_unavailable", message, { cause });
}

/** @param place URL or path of the script that would import it */
function installedFor(place = ""): URL {
  const require = Module.createRequire(place);
  const manifest = require.resolve("umpire/package.json");
  const installed = require(manifest) as { readonly version: string };
  if (installed.version !== version) throw new Error(`version ${installed.version} is installed: ${manifest}`);
  return new URL("dist/", pathToFileURL(manifest));
}

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
