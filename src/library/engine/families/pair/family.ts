import { encoderFilesFor } from "../../encoders/graphs.ts";
import type { Family } from "../family.ts";
import type { PairManifest } from "./manifest.ts";
import { loadPair } from "./model.ts";

/** Published cross-encoders, which read premise and hypothesis together, a row an option: "The model" in ARCHITECTURE.md of the repository. */
export const pair: Family<PairManifest> = {
  filesFor: encoderFilesFor,
  load: loadPair,
};
