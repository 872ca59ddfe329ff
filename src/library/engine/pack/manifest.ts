import { isPlainObject, matching, oneOf, wholeNumber } from "../../validation/field.ts";
import type { Field, Rule } from "../../validation/field.ts";
import type { AccuracyCurve, Calibration, ModelOrigin, Precision, RiskCurve, RiskPoint, TokenLimits } from "../engine.ts";

/** Reads a field of a manifest. An invalid one becomes an issue and reads as a placeholder of its type: look at the issues before using it. */
export type Reader<T> = (field: Field) => T;

/** A reader for each field of an object. */
export type Readers<T> = { readonly [Name in keyof T]-?: Reader<T[Name]> };

const A_NUMBER: Rule = { isKept: Number.isFinite, words: "a number" };
const ABOVE_0: Rule = { isKept: (value) => Number.isFinite(value) && Number(value) > 0, words: "a number above 0" };
const A_TEXT = matching(/^[^]{1,10000}$/, "a text of 1 to 10000 characters");
const TRUE: Rule = { isKept: (value) => value === true, words: "true" };
/** Safe in a message and as a file's name: no folder, no URL, no device. */
const A_NAME = matching(/^[a-z\d][\w.-]{0,99}$/i, "a plain name of letters, digits, dots, dashes and underscores");

export function textOf(field: Field): string {
  return field.keeps(A_TEXT) ? String(field.value) : "";
}

/** A model's id, or the name of a file in the pack's folder. */
export function plainNameOf(field: Field): string {
  return field.keeps(A_NAME) ? String(field.value) : "";
}

export function isPlainName(name: string): boolean {
  return A_NAME.isKept(name);
}

export function nameOf<const Name extends string>(field: Field, names: readonly [Name, ...Name[]]): Name {
  return field.keeps(oneOf(names)) ? (field.value as Name) : names[0];
}

export function numberOf(field: Field): number {
  return numberThat(field, A_NUMBER);
}

export function numberAbove0Of(field: Field): number {
  return numberThat(field, ABOVE_0);
}

export function countFrom(min: number, max?: number): Reader<number> {
  return (field) => numberThat(field, wholeNumber(min, max));
}

export function trueOf(field: Field): true {
  field.keeps(TRUE);
  return true;
}

export function listOf<T>(read: Reader<T>): Reader<T[]> {
  return (field) => field.items("an array").map(read);
}

const MAX_ORDERED = 64;

/** A list of 1 to 64 items in an order. @param isMisplaced of an item and the one before it @param what completes "must have 1 to 64 ..." */
export function orderedListOf<T>(read: Reader<T>, isMisplaced: (item: T, before: T | undefined) => boolean, what: string): Reader<T[]> {
  return (field) => {
    const items = listOf(read)(field);
    // What is no array has its issue already.
    if (Array.isArray(field.value) && (!items.length || items.some((item, i) => i >= MAX_ORDERED || isMisplaced(item, items[i - 1]))))
      field.refuse(`must have 1 to ${MAX_ORDERED} ${what}`, "unknown_value");
    return items;
  };
}

/** An object with the fields that have readers. What `optional` leaves out is not among them. */
export function objectOf<T>(readers: Readers<T>): Reader<T> {
  return (field) => {
    const entries = Object.entries<Reader<unknown>>(readers).map(([name, read]) => [name, read(field.get(name))]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
  };
}

/** A field that may be missing. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (field) => (field.isMissing ? undefined : read(field));
}

/** An invalid number reads as NaN: no comparison holds with it, so that one mistake does not lead to another issue. */
function numberThat(field: Field, rule: Rule): number {
  return field.keeps(rule) ? Number(field.value) : NaN;
}

export const MANIFEST = "manifest.json";
const MAX_FILES = 100;
/** Most that all files of a pack have together. They are read into memory. */
const MAX_PACK_BYTES = 2 ** 31;

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
  /** In each precision that the pack has; those of fp16 are fp32's. */
  readonly scores: { readonly [P in TestedPrecision]?: readonly number[] };
  /** The first few features of the question. Absent in packs that do not state them. */
  readonly features?: { readonly [P in TestedPrecision]?: readonly number[] };
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

type WithMaxOptions = Pick<RiskCurve, "maxOptions">;

/** A list with an entry for each range of numbers of options. */
function bucketsOf<T extends WithMaxOptions>(readers: Readers<Omit<T, "maxOptions">>): Reader<T[]> {
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

/** Probabilities are below this one, and so at most 1. */
const BEFORE_THE_FIRST: RiskPoint = { probability: 1 + Number.EPSILON, answers: 0, errors: 0 };

function isMisplaced({ probability, answers, errors }: RiskPoint, before: RiskPoint = BEFORE_THE_FIRST): boolean {
  const [more, wrong] = [answers - before.answers, errors - before.errors];
  return probability >= before.probability || more < 1 || wrong < 0 || wrong > more;
}

const pointsOf = orderedListOf(
  objectOf<RiskPoint>({ probability: numberAbove0Of, answers: countFrom(1), errors: countFrom(0) }),
  isMisplaced,
  "points of falling probability, at most 1, and rising answers, no fewer than errors",
);

/** The calibration of a manifest. */
export const readCalibration = objectOf<Calibration>({
  uncalibrated: optional(trueOf),
  choice: bucketsOf({ temperature: numberAbove0Of }),
  noul: objectOf({ temperature: numberAbove0Of, bias: numberOf }),
  score: objectOf({ temperature: numberAbove0Of }),
  accuracy: optional(byType(bucketsOf<AccuracyCurve>({ slope: numberAbove0Of, bias: numberOf }))),
  risk: optional(byType(bucketsOf<RiskCurve>({ points: pointsOf }))),
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
