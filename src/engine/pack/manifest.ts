import { isPlainObject } from "../../validation/shape.ts";
import type { Field } from "../../validation/field.ts";
import type { Calibration, Precision, TokenLimits } from "../engine.ts";
import { readCalibration } from "./calibration.ts";
import { countOf, ifPresent, isPlainName, listOf, numberAbove0Of, numberOf, plainNameOf, textOf } from "./manifest-fields.ts";

export const MANIFEST = "manifest.json";
const MAX_FILES = 100;
/** Most that all files of a pack have together. They are read into memory. */
const MAX_PACK_BYTES = 2 ** 30;

/** What a manifest says of a file. */
export interface ListedFile {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Precisions whose scores a pack states. */
type TestedPrecision = Exclude<Precision, "fp16">;

/** A question whose scores are known. It is answered whenever the pack is loaded. */
export interface SelfTest {
  readonly state: string;
  readonly instructions: string;
  readonly options: readonly string[];
  readonly scores: { readonly [P in TestedPrecision]: readonly number[] };
  /** The first few features of the question. Absent in packs that do not state them. */
  readonly features?: { readonly [P in TestedPrecision]: readonly number[] };
  /** How far a measured score may be from `scores`, and a feature from `features`. fp16 is compared with the fp32 scores, and without a tolerance of its own with int8's. */
  readonly tolerance: { readonly [P in TestedPrecision]: number } & { readonly fp16?: number };
}

/** What the manifests of all families have. Token counts and sizes are whole numbers; temperatures are above 0. */
export interface CommonManifest {
  readonly id: string;
  readonly family: string;
  readonly description: string;
  /** Year, month and day: 2026-11-21. */
  readonly releaseDate: string;
  readonly licence: string;
  readonly limits: TokenLimits;
  readonly calibration: Calibration;
  readonly selfTest: SelfTest;
  readonly files: { readonly [name: string]: ListedFile };
}

/** Reads what all manifests have; the table of families reads `family`. Whatever is wrong becomes an issue of the field. */
export function readCommonManifest(root: Field): Omit<CommonManifest, "family"> {
  return {
    id: plainNameOf(root.get("id")),
    description: textOf(root.get("description")),
    releaseDate: textOf(root.get("releaseDate")),
    licence: textOf(root.get("licence")),
    limits: readLimits(root.get("limits")),
    calibration: readCalibration(root.get("calibration")),
    selfTest: readSelfTest(root.get("selfTest")),
    files: readFiles(root.get("files")),
  };
}

function readLimits(limits: Field): TokenLimits {
  const read: TokenLimits = {
    stateTokens: countOf(limits.get("stateTokens"), 1),
    windowTokens: countOf(limits.get("windowTokens"), 4),
    overlapTokens: countOf(limits.get("overlapTokens"), 0),
    instructionsTokens: countOf(limits.get("instructionsTokens"), 1),
    optionTokens: countOf(limits.get("optionTokens"), 1),
  };
  if (read.overlapTokens > read.windowTokens - 3)
    limits.get("overlapTokens").refuse("leaves a window no tokens of its own", "unknown_value");
  return read;
}

function readSelfTest(selfTest: Field): SelfTest {
  const tolerance = selfTest.get("tolerance");
  return {
    state: textOf(selfTest.get("state")),
    instructions: textOf(selfTest.get("instructions")),
    options: listOf(selfTest.get("options"), textOf),
    scores: readTested(selfTest.get("scores")),
    ...ifPresent("features", selfTest.get("features"), readTested),
    tolerance: {
      int8: numberAbove0Of(tolerance.get("int8")),
      fp32: numberAbove0Of(tolerance.get("fp32")),
      ...ifPresent("fp16", tolerance.get("fp16"), numberAbove0Of),
    },
  };
}

function readTested(field: Field): SelfTest["scores"] {
  return { int8: listOf(field.get("int8"), numberOf), fp32: listOf(field.get("fp32"), numberOf) };
}

function readFiles(files: Field): CommonManifest["files"] {
  const entries = isPlainObject(files.value) ? Object.entries(files.value) : [];
  if (entries.length > MAX_FILES || !entries.every(([name]) => isPlainName(name))) {
    files.refuse(`must list up to ${MAX_FILES} files by plain names, such as weights.bin`, "unknown_value");
    return {};
  }
  const listed = entries.map(([name, value]) => {
    const file = files.at(name, value);
    return [name, { sizeBytes: countOf(file.get("sizeBytes"), 0), sha256: textOf(file.get("sha256")) }] as const;
  });
  if (listed.reduce((sum, [, { sizeBytes }]) => sum + sizeBytes, 0) > MAX_PACK_BYTES)
    files.refuse(`must have up to ${MAX_PACK_BYTES} bytes together`, "unknown_value");
  return Object.fromEntries(listed);
}
