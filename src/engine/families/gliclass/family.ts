import { encoderFilesFor } from "../../encoders/graphs.ts";
import type { Family } from "../family.ts";
import { readGliclassManifest } from "./manifest.ts";
import type { GliclassManifest } from "./manifest.ts";
import { loadGliclass } from "./model.ts";

/** Encoders that read all criteria and the text in one sequence (GLiClass, uni-encoder): ARCHITECTURE.md, "The model". */
export const gliclass: Family<GliclassManifest> = {
  readManifest: readGliclassManifest,
  filesFor: encoderFilesFor,
  load: loadGliclass,
};
