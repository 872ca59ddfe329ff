import { DecideError, type DecideErrorOptions } from "../../../errors.ts";
import { Field, firstOf } from "../../validation/field.ts";
import { MANIFEST, readCommonManifest, type CommonManifest } from "../pack/manifest.ts";
import { nameOf } from "../pack/manifest-fields.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import type { Model } from "../queued-engine.ts";
import type { Runtime, Placement } from "../runtime.ts";
import { readGliclassManifest, type GliclassManifest } from "./gliclass/manifest.ts";
import { readPairManifest, type PairManifest } from "./pair/manifest.ts";
import { readSharedPremiseManifest, type SharedPremiseManifest } from "./shared-premise/manifest.ts";

/** The manifests of each family, by its name. */
export interface Manifests {
  "shared-premise": SharedPremiseManifest;
  pair: PairManifest;
  gliclass: GliclassManifest;
}

export type FamilyName = keyof Manifests;

/** A pack's manifest, checked: a union on `family`. */
export type Manifest = Manifests[FamilyName];

/** A kind of model: the files it needs, and how it is loaded. Its manifests are read by the table below. */
export interface Family<M extends CommonManifest> {
  /**
   * Names of the files that a model needs on a device.
   * @throws {DecideError} `backend_unavailable` when the device, or the pack, does not have this arithmetic.
   */
  filesFor(manifest: M, placement: Pick<Placement, "device" | "precision">): readonly string[];
  /**
   * @param cacheBytes how many bytes of states the model may keep after their calls; default: 0
   * @throws {DecideError} `model_invalid`, `backend_unavailable`
   */
  load(pack: ModelPack<M>, runtime: Runtime, placement: Placement, cacheBytes?: number): Promise<Model>;
}

/** Reads a family's own part of a manifest. Whatever is wrong becomes an issue of the field. */
type ReadManifest<M> = (root: Field, common: Omit<CommonManifest, "family">) => M;

const READERS: { readonly [Name in FamilyName]: ReadManifest<Manifests[Name]> } = {
  "shared-premise": readSharedPremiseManifest,
  pair: readPairManifest,
  gliclass: readGliclassManifest,
};

export const FAMILY_NAMES = Object.keys(READERS) as [FamilyName, ...FamilyName[]];

const FORMAT = 1;

/**
 * The text of a manifest.json as a checked manifest.
 * @throws {DecideError} `model_invalid` with every field at fault.
 */
export function parseManifest(text: string): Manifest {
  const root = new Field(parsed(text), []);
  if (root.get("format").value !== FORMAT) throw invalidManifest(`has a format other than ${FORMAT}; a newer umpire may read it`);
  const manifest = READERS[nameOf(root.get("family"), FAMILY_NAMES)](root, readCommonManifest(root));
  const { issues } = root;
  if (issues.length > 0) throw invalidManifest(`is not valid: ${firstOf(issues, (loc) => loc.join("."))}`, { issues });
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidManifest("is not JSON", { cause });
  }
}

function invalidManifest(what: string, options?: DecideErrorOptions): DecideError {
  return new DecideError("model_invalid", `${MANIFEST} ${what}. The pack is damaged or was changed by hand: install it again.`, options);
}
