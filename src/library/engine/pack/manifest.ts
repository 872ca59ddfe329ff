import { isPlainObject, type Field } from "../../validation/field.ts";
import type { AccuracyCurve, ActThreshold, ActThresholds, Calibration, ModelOrigin, Precision, TokenLimits } from "../engine.ts";
import {
  countFrom,
  isPlainName,
  listOf,
  numberAbove0Of,
  numberOf,
  objectOf,
  optional,
  orderedListOf,
  plainNameOf,
  probabilityOf,
  textOf,
  trueOf,
} from "./manifest-fields.ts";
import type { Reader, Readers } from "./manifest-fields.ts";

export const MANIFEST = "manifest.json";
const MAX_FILES = 100;
/** Most that all files of a pack have together. They are read into memory. */
const MAX_PACK_BYTES = 2 ** 31;

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

const sizesOf = objectOf<TokenLimits>({
  stateTokens: countFrom(1),
  windowTokens: countFrom(4),
  overlapTokens: countFrom(0),
  instructionsTokens: countFrom(1),
  optionTokens: countFrom(1),
});

function readLimits(limits: Field): TokenLimits {
  const read = sizesOf(limits);
  if (read.overlapTokens > read.windowTokens - 3)
    limits.get("overlapTokens").refuse("leaves a window no tokens of its own", "unknown_value");
  return read;
}

const testedOf = objectOf<SelfTest["scores"]>({ int8: optional(listOf(numberOf)), fp32: optional(listOf(numberOf)) });

const readSelfTest = objectOf<SelfTest>({
  state: textOf,
  instructions: textOf,
  options: listOf(textOf),
  scores: testedOf,
  features: optional(testedOf),
  tolerance: objectOf<SelfTest["tolerance"]>({ int8: numberAbove0Of, fp32: numberAbove0Of, fp16: optional(numberAbove0Of) }),
});

const listedFileOf = objectOf<ListedFile>({ sizeBytes: countFrom(0), sha256: textOf });

function readFiles(files: Field): CommonManifest["files"] {
  const entries = isPlainObject(files.value) ? Object.entries(files.value) : [];
  if (entries.length > MAX_FILES || !entries.every(([name]) => isPlainName(name))) {
    files.refuse(`must list up to ${MAX_FILES} files by plain names, such as weights.bin`, "unknown_value");
    return {};
  }
  const listed = entries.map(([name, value]) => [name, listedFileOf(files.at(name, value))] as const);
  if (listed.reduce((sum, [, { sizeBytes }]) => sum + sizeBytes, 0) > MAX_PACK_BYTES)
    files.refuse(`must have up to ${MAX_PACK_BYTES} bytes together`, "unknown_value");
  return Object.fromEntries(listed);
}

/** A list with an entry for each range of numbers of options. */
function bucketsOf<T extends { readonly maxOptions: number }>(readers: Readers<Omit<T, "maxOptions">>): Reader<T[]> {
  return orderedListOf(
    objectOf<T>({ maxOptions: countFrom(2), ...readers } as Readers<T>),
    ({ maxOptions }, before) => maxOptions <= (before?.maxOptions ?? 0),
    "buckets in ascending order of maxOptions",
  );
}

type ByType<T> = { readonly [Type in "choice" | "noul" | "score"]?: T };

function byType<T>(read: Reader<T>): Reader<ByType<T>> {
  return objectOf<ByType<T>>({ choice: optional(read), noul: optional(read), score: optional(read) });
}

const thresholdsOf = orderedListOf(
  objectOf<ActThreshold>({ maxErrorRate: probabilityOf, probability: probabilityOf }),
  (at, before) => before !== undefined && (at.maxErrorRate <= before.maxErrorRate || at.probability > before.probability),
  "thresholds in ascending order of maxErrorRate, with probabilities that never ascend",
);

const readCalibration = objectOf<Calibration>({
  uncalibrated: optional(trueOf),
  choice: bucketsOf({ temperature: numberAbove0Of }),
  noul: objectOf({ temperature: numberAbove0Of, bias: numberOf }),
  score: objectOf({ temperature: numberAbove0Of }),
  accuracy: optional(byType(bucketsOf<AccuracyCurve>({ slope: numberAbove0Of, bias: numberOf }))),
  thresholds: optional(
    objectOf<NonNullable<Calibration["thresholds"]>>({
      choice: optional(bucketsOf<ActThresholds>({ byRate: thresholdsOf })),
      noul: optional(
        objectOf<NonNullable<NonNullable<Calibration["thresholds"]>["noul"]>>({ yes: optional(thresholdsOf), no: optional(thresholdsOf) }),
      ),
      score: optional(bucketsOf<ActThresholds>({ byRate: thresholdsOf })),
    }),
  ),
});

/** Reads what all manifests have; the table of families reads `family`. Whatever is wrong becomes an issue of the field. */
export const readCommonManifest = objectOf<Omit<CommonManifest, "family">>({
  id: plainNameOf,
  description: textOf,
  releaseDate: textOf,
  licence: textOf,
  source: optional(objectOf<ModelOrigin>({ name: textOf, revision: optional(textOf) })),
  limits: readLimits,
  calibration: readCalibration,
  selfTest: readSelfTest,
  files: readFiles,
});
