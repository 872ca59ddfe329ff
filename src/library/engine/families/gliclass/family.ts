import { encoderFilesFor } from "../../encoders/graphs.ts";
import type { Family } from "../family.ts";
import type { GliclassManifest } from "./manifest.ts";
import { loadGliclass } from "./model.ts";

/** Encoders that read all criteria and the text in one sequence (GLiClass, uni-encoder): "The model" in ARCHITECTURE.md of the repository. */
export const gliclass: Family<GliclassManifest> = {
  filesFor: encoderFilesFor,
  load: loadGliclass,
};
