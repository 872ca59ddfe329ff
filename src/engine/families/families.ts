import { DecideError } from "../../errors.ts";
import type { DecideErrorOptions } from "../../errors.ts";
import { Field } from "../../validation/field.ts";
import { firstOf } from "../../validation/invalid.ts";
import { MANIFEST, readCommonManifest } from "../pack/manifest.ts";
import { nameOf } from "../pack/manifest-fields.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import type { Model } from "../queued-engine.ts";
import type { Runtime } from "../runtime.ts";
import type { Placement } from "../session.ts";
import type { Family } from "./family.ts";
import { sharedPremise } from "./shared-premise/family.ts";
import type { SharedPremiseManifest } from "./shared-premise/manifest.ts";

/** The manifests of each family, by its name. */
interface Manifests {
  "shared-premise": SharedPremiseManifest;
}

export type FamilyName = keyof Manifests;

/** A pack's manifest, checked: a union on `family`. */
export type Manifest = Manifests[FamilyName];

/** The one table of families. Nothing else knows a family by its name. All but the built-in models' family are loaded when a pack needs them. */
const FAMILIES: { readonly [Name in FamilyName]: () => Promise<Family<Manifests[Name]>> } = {
  "shared-premise": () => Promise.resolve(sharedPremise),
};

export const FAMILY_NAMES = Object.keys(FAMILIES) as [FamilyName, ...FamilyName[]];

const FORMAT = 1;

/**
 * The text of a manifest.json as a checked manifest.
 * @throws {DecideError} `model_invalid` with every field at fault; `backend_unavailable` when the family's script cannot be loaded.
 */
export async function parseManifest(text: string): Promise<Manifest> {
  const root = new Field(parsed(text), []);
  if (root.get("format").value !== FORMAT) throw invalidManifest(`has a format other than ${FORMAT}; a newer umpire may read it`);
  const family = nameOf(root.get("family"), FAMILY_NAMES);
  const manifest = (await FAMILIES[family]()).readManifest(root, readCommonManifest(root));
  const { issues } = root;
  if (issues.length > 0) throw invalidManifest(`is not valid: ${firstOf(issues, (loc) => loc.join("."))}`, { issues });
  return manifest;
}

/** Names of the files that the manifest's model needs on a device. @throws {DecideError} `backend_unavailable` */
export async function filesFor(manifest: Manifest, placement: Pick<Placement, "device" | "precision">): Promise<readonly string[]> {
  return (await familyOf(manifest)).filesFor(manifest, placement);
}

/** Loads the model of an opened pack. @throws {DecideError} `model_invalid`, `backend_unavailable` */
export async function loadModel(pack: ModelPack<Manifest>, runtime: Runtime, placement: Placement): Promise<Model> {
  return (await familyOf(pack.manifest)).load(pack, runtime, placement);
}

/** Safe, though the compiler cannot see it: the table maps each name to a family of exactly that manifest type. */
function familyOf({ family }: Manifest): Promise<Family<Manifest>> {
  return FAMILIES[family]();
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
