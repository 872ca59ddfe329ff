import { encoderFilesFor } from "../../encoders/graphs.ts";
import type { Family } from "../family.ts";
import type { GliclassManifest } from "./manifest.ts";
import { loadGliclass } from "./model.ts";

/** Encoders that read all criteria and the text in one sequence (GLiClass, uni-encoder): ARCHITECTURE.md, "The model". */
export const gliclass: Family<GliclassManifest> = {
  filesFor: encoderFilesFor,
  load: loadGliclass,
};
