import type { Calibration, ModelOrigin, Precision, TokenLimits } from "../engine.ts";

export const MANIFEST = "manifest.json";

/** A file's entry in a manifest. */
export interface ListedFile {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Precisions whose scores a pack states. */
export type TestedPrecision = Exclude<Precision, "fp16">;

/** A question whose scores are known. It is answered whenever the pack is loaded. */
export interface SelfTest {
  readonly state: string;
  readonly instructions: string;
  readonly options: readonly string[];
  /** In each precision that the pack has; those of fp16 are fp32's. */
  readonly scores: { readonly [P in TestedPrecision]?: readonly number[] };
  /** The first few features of the question. Absent in packs that do not state them. */
  readonly features?: { readonly [P in TestedPrecision]?: readonly number[] };
  /** How far a measured score may be from `scores`, and a feature from `features`. fp16 is compared with the fp32 scores, and without a tolerance of its own with int8's. */
  readonly tolerance: { readonly [P in TestedPrecision]: number } & { readonly fp16?: number };
}

/** The common part of all families' manifests. Token counts and sizes are whole numbers; temperatures are above 0. */
export interface CommonManifest {
  readonly id: string;
  readonly family: string;
  readonly description: string;
  /** Year, month and day: 2026-11-21. */
  readonly releaseDate: string;
  readonly licence: string;
  /** Where the model came from. Absent in packs that came with the package. */
  readonly source?: ModelOrigin;
  readonly limits: TokenLimits;
  readonly calibration: Calibration;
  readonly selfTest: SelfTest;
  readonly files: { readonly [name: string]: ListedFile };
}
