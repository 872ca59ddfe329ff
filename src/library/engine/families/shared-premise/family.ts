import type { Family } from "../family.ts";
import { filesFor } from "./graphs.ts";
import { loadSharedPremise } from "./model.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/** Cross-encoders whose options read the state, but not the other way round: "The model" in ARCHITECTURE.md of the repository. */
export const sharedPremise: Family<SharedPremiseManifest> = {
  filesFor,
  load: loadSharedPremise,
};
