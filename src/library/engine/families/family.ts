import type { CommonManifest } from "../pack/manifest.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import type { Model } from "../queued-engine.ts";
import type { Runtime, Placement } from "../runtime.ts";

/** A kind of model: the files it needs, and how it is loaded. manifests.ts says how its manifests are read. */
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
