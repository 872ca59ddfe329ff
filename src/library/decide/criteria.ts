import { isPlainObject, shapeOf } from "../validation/shape.ts";
import type { Field } from "../validation/field.ts";
import { isPlain } from "../validation/nearest.ts";
import { refuseAs } from "../validation/unknown-fields.ts";
import { isMeant } from "./meant.ts";
import { namedFields } from "./named-fields.ts";
import { renderText } from "./text.ts";
import type { Description } from "./types.ts";

export const MAX_OPTIONS = 255;
export const MAX_LEVELS = 10;
const MAX_NAMES_SHOWN = 3;
const SOME_LEVELS = '["calm", "angry"]';

/** A criterion: its key, its description as text (null: none), and the description as the caller gave it. */
export interface Criterion {
  readonly key: string;
  readonly description: string | null;
  readonly given: Description;
}

/** Required text: a string, an object or an array. "" where it is refused. */
export function readText(text: Field): string {
  // Bytes, such as a file that was read without an encoding, are refused there with what to give instead.
  if (isTextual(text.value) || ArrayBuffer.isView(text.value)) return renderText(text);
  text.refuseType("a string, an object or an array");
  return "";
}

/** The options of a choice. */
export function readOptions(options: Field): Criterion[] {
  const { value } = options;
  const names = Array.isArray(value) ? value : [];
  const entries = namedFields(options, `an object that maps options to descriptions, such as ${exampleOf(names)}`);
  if (isPlainObject(value)) checkCount(options, Object.keys(value).length, MAX_OPTIONS, "options", exampleOf([]));
  // Options beyond the greatest number need no issue of their own.
  return entries.slice(0, MAX_OPTIONS).map(([key, description]) => {
    if (key === "") description.refuse("has an empty key", "empty");
    return readCriterion(key, description);
  });
}

/** A choice of the given options, or of any if their names may be a person's words. */
function exampleOf(names: readonly unknown[]): string {
  const first = names.slice(0, MAX_NAMES_SHOWN);
  const isShown = first.length > 1 && first.every(isPlain);
  const more = isShown && names.length > MAX_NAMES_SHOWN ? ", ..." : "";
  return `{ ${(isShown ? first : ["billing", "other"]).map((name) => `"${name}": null`).join(", ")}${more} }`;
}

/** The levels of a score. */
export function readLevels(levels: Field): Criterion[] {
  if (!Array.isArray(levels.value)) {
    levels.refuseType(`an array of level descriptions, low to high, such as ${SOME_LEVELS}`);
    return [];
  }
  checkCount(levels, levels.value.length, MAX_LEVELS, "levels", SOME_LEVELS);
  // Nor do levels. Array.from, unlike map, also visits the holes of a sparse array.
  return Array.from<unknown, Criterion>(levels.value.slice(0, MAX_LEVELS), (level, i) => readLevel(String(i), levels.at(i, level)));
}

const YES_AND_NO = ["true", "false"];

/** The criteria of a noul: always both, without a description where the caller gave none. */
export function readYesAndNo(criteria: Field): Criterion[] {
  const { value } = criteria;
  const none = YES_AND_NO.map((key) => ({ key, description: null, given: null }));
  if (value === undefined || value === null) return none;
  const entries = namedFields(criteria, 'an object with true, false or both, such as { "true": "asks for money back" }, or null');
  if (!isPlainObject(value)) return none;
  if (Object.keys(value).length === 0) criteria.refuse("must hold true, false or both; leave it out for neither", "too_few");
  for (const [key, field] of entries.slice(0, MAX_OPTIONS)) {
    if (!YES_AND_NO.includes(key)) refuseAs(field, YES_AND_NO.find((name) => isMeant(key, name)) ?? YES_AND_NO.join(" or "));
  }
  return YES_AND_NO.map((key) => readCriterion(key, criteria.at(key, value[key] ?? null)));
}

function readLevel(key: string, level: Field): Criterion {
  // A legend holds what was given, and official clients cannot read a null there.
  return { key, description: readText(level), given: level.value as Description };
}

function readCriterion(key: string, description: Field): Criterion {
  const { value } = description;
  if (isTextual(value)) return { key, description: renderText(description), given: value as Description };
  if (value !== null)
    description.refuse(`must be a description (a string, an object, an array or null), but is ${shapeOf(value)}`, "wrong_type");
  return { key, description: null, given: null };
}

function isTextual(value: unknown): boolean {
  return typeof value === "string" || Array.isArray(value) || isPlainObject(value);
}

function checkCount(criteria: Field, count: number, max: number, what: string, example: string): void {
  if (count < 2) criteria.refuse(`must hold at least 2 ${what}, such as ${example}, but holds ${count}`, "too_few");
  if (count > max) criteria.refuse(`must hold at most ${max} ${what}, but holds ${count}`, "too_many");
}
