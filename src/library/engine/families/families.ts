import { onDemand } from "../../async/on-demand.ts";
import { DecideError } from "../../../errors.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import type { Model } from "../queued-engine.ts";
import type { Runtime, Placement } from "../runtime.ts";
import type { Family, FamilyName, Manifest, Manifests } from "./manifests.ts";
import { sharedPremise } from "./shared-premise/family.ts";

export type { FamilyName, Manifest } from "./manifests.ts";

/** The one table of families; manifests.ts has that of their manifests. All but the built-in models' family are loaded when a pack needs them. */
const FAMILIES: { readonly [Name in FamilyName]: () => Promise<Family<Manifests[Name]>> } = {
  "shared-premise": () => Promise.resolve(sharedPremise),
  pair: async () => (await onDemand("pair", import("./pair/family.ts"))).pair,
  gliclass: async () => (await onDemand("gliclass", import("./gliclass/family.ts"))).gliclass,
};

/**
 * The text of a manifest.json as a checked manifest.
 * @throws {DecideError} `model_invalid` with every field at fault; `backend_unavailable` when the script that checks it cannot be loaded.
 */
export async function parseManifest(text: string): Promise<Manifest> {
  return (await onDemand("manifests", import("./manifests.ts"))).parseManifest(text);
}

/** Names of the files that the manifest's model needs on a device. @throws {DecideError} `backend_unavailable` */
export async function filesFor(manifest: Manifest, placement: Pick<Placement, "device" | "precision">): Promise<readonly string[]> {
  return (await familyOf(manifest)).filesFor(manifest, placement);
}

/** Whether the manifest's model has a graph for a device and a precision. */
export async function hasFilesFor(manifest: Manifest, placement: Pick<Placement, "device" | "precision">): Promise<boolean> {
  try {
    await filesFor(manifest, placement);
    return true;
  } catch (error) {
    if (DecideError.isInstance(error) && error.code === "backend_unavailable") return false;
    throw error;
  }
}

/**
 * Loads the model of an opened pack.
 * @param cacheBytes how many bytes of states the model may keep after their calls; default: 0
 * @throws {DecideError} `model_invalid`, `backend_unavailable`
 */
export async function loadModel(pack: ModelPack<Manifest>, runtime: Runtime, placement: Placement, cacheBytes?: number): Promise<Model> {
  return (await familyOf(pack.manifest)).load(pack, runtime, placement, cacheBytes);
}

/** Safe, though the compiler cannot see it: the table maps each name to a family of exactly that manifest type. */
function familyOf({ family }: Manifest): Promise<Family<Manifest>> {
  return FAMILIES[family]();
}
