import type { Field } from "../../validation/field.ts";
import type { CommonManifest } from "../pack/manifest.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import type { Model } from "../queued-engine.ts";
import type { Runtime } from "../runtime.ts";
import type { Placement } from "../session.ts";

/** A kind of model: what its manifests say besides what all manifests do, and how one is loaded. */
export interface Family<M extends CommonManifest> {
  /** Reads the family's own part of a manifest. Whatever is wrong becomes an issue of the field. */
  readManifest(root: Field, common: Omit<CommonManifest, "family">): M;
  /**
   * Names of the files that a model needs on a device.
   * @throws {DecideError} `backend_unavailable` when the device, or the pack, does not have this arithmetic.
   */
  filesFor(manifest: M, placement: Pick<Placement, "device" | "precision">): readonly string[];
  /** @throws {DecideError} `model_invalid`, `backend_unavailable` */
  load(pack: ModelPack<M>, runtime: Runtime, placement: Placement): Promise<Model>;
}
