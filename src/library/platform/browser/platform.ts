import { catalogue } from "umpire:catalogue";
import { DecideError } from "../../../errors.ts";
import type { CataloguedPack, Platform } from "../platform.ts";
import { usefulThreads } from "../threads.ts";
import { BASE, BUILT_IN } from "./built-in.ts";
import { BROWSER_DEVICES } from "./device-names.ts";
import { asFolder } from "./folder-url.ts";
import { startWorker } from "./start-worker.ts";

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
