import { DecideError, type DecideErrorOptions } from "../../../errors.ts";
import { Field, firstOf, isPlainObject } from "../../validation/field.ts";
import type { AccuracyCurve, ActThreshold, ActThresholds, Calibration, ModelOrigin, TokenLimits } from "../engine.ts";
import { MANIFEST, type CommonManifest, type ListedFile, type SelfTest } from "../pack/manifest.ts";
import {
  countFrom,
  isPlainName,
  listOf,
  nameOf,
  numberAbove0Of,
  numberOf,
  objectOf,
  optional,
  orderedListOf,
  plainNameOf,
  probabilityOf,
  textOf,
  trueOf,
  type Reader,
  type Readers,
} from "../pack/manifest-fields.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import type { Model } from "../queued-engine.ts";
import type { Runtime, Placement } from "../runtime.ts";
import { readGliclassManifest, type GliclassManifest } from "./gliclass/manifest.ts";
import { readPairManifest, type PairManifest } from "./pair/manifest.ts";
import { readSharedPremiseManifest, type SharedPremiseManifest } from "./shared-premise/manifest.ts";

/** The manifests of each family, by its name. */
export interface Manifests {
  "shared-premise": SharedPremiseManifest;
  pair: PairManifest;
  gliclass: GliclassManifest;
}

export type FamilyName = keyof Manifests;

/** A pack's manifest, checked: a union on `family`. */
export type Manifest = Manifests[FamilyName];

/** A kind of model: the files it needs, and how it is loaded. Its manifests are read by the table below. */
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

/** Reads a family's own part of a manifest. Whatever is wrong becomes an issue of the field. */
type ReadManifest<M> = (root: Field, common: Omit<CommonManifest, "family">) => M;

const READERS: { readonly [Name in FamilyName]: ReadManifest<Manifests[Name]> } = {
  "shared-premise": readSharedPremiseManifest,
  pair: readPairManifest,
  gliclass: readGliclassManifest,
};

export const FAMILY_NAMES = Object.keys(READERS) as [FamilyName, ...FamilyName[]];

const FORMAT = 1;

/**
 * The text of a manifest.json as a checked manifest.
 * @throws {DecideError} `model_invalid` with every field at fault.
 */
export function parseManifest(text: string): Manifest {
  const root = new Field(parsed(text), []);
  if (root.get("format").value !== FORMAT) throw invalidManifest(`has a format other than ${FORMAT}; a newer umpire may read it`);
  const manifest = READERS[nameOf(root.get("family"), FAMILY_NAMES)](root, readCommonManifest(root));
  const { issues } = root;
  if (issues.length > 0) throw invalidManifest(`is not valid: ${firstOf(issues, (loc) => loc.join("."))}`, { issues });
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidManifest("is not JSON", { cause });
  }
}

function invalidManifest(what: string, options?: DecideErrorOptions): DecideError {
  return new DecideError("model_invalid", `${MANIFEST} ${what}. The pack is damaged or was changed by hand: install it again.`, options);
}

const MAX_FILES = 100;
/** Most that all files of a pack have together. They are read into memory. */
const MAX_PACK_BYTES = 2 ** 31;

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

function bucketsOf<T extends { readonly maxOptions: number }>(readers: Readers<Omit<T, "maxOptions">>): Reader<T[]> {
  return orderedListOf(
    objectOf<T>({ maxOptions: countFrom(2), ...readers } as Readers<T>),
    ({ maxOptions }, before) => maxOptions <= (before?.maxOptions ?? 0),
    "buckets in ascending order of maxOptions",
  );
}

const thresholdsOf = orderedListOf(
  objectOf<ActThreshold>({ maxErrorRate: probabilityOf, probability: probabilityOf }),
  (at, before) => before !== undefined && (at.maxErrorRate <= before.maxErrorRate || at.probability > before.probability),
  "thresholds in ascending order of maxErrorRate, with probabilities that never ascend",
);

const curvesOf = optional(bucketsOf<AccuracyCurve>({ slope: numberAbove0Of, bias: numberOf }));
const thresholdsByOptionsOf = optional(bucketsOf<ActThresholds>({ byRate: thresholdsOf }));

type Thresholds = NonNullable<Calibration["thresholds"]>;

const readCalibration = objectOf<Calibration>({
  uncalibrated: optional(trueOf),
  choice: bucketsOf({ temperature: numberAbove0Of }),
  noul: objectOf({ temperature: numberAbove0Of, bias: numberOf }),
  score: objectOf({ temperature: numberAbove0Of }),
  accuracy: optional(objectOf<NonNullable<Calibration["accuracy"]>>({ choice: curvesOf, noul: curvesOf, score: curvesOf })),
  thresholds: optional(
    objectOf<Thresholds>({
      choice: thresholdsByOptionsOf,
      noul: optional(objectOf<NonNullable<Thresholds["noul"]>>({ yes: optional(thresholdsOf), no: optional(thresholdsOf) })),
      score: thresholdsByOptionsOf,
    }),
  ),
});

/** Reads what all manifests have; the table of families reads `family`. Whatever is wrong becomes an issue of the field. */
const readCommonManifest = objectOf<Omit<CommonManifest, "family">>({
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
