import { isPlainObject, shapeOf } from "../validation/shape.ts";
import type { Field } from "../validation/field.ts";
import { renderText } from "./text.ts";
import type { Description } from "./types.ts";

const MAX_OPTIONS = 255;
const MAX_LEVELS = 10;

/** A criterion: its key, its description as text (null: none), and the description as the caller gave it. */
export interface Criterion {
  readonly key: string;
  readonly description: string | null;
  readonly given: Description;
}

/** Required text: a string, an object or an array. "" where it is refused. */
export function readText(text: Field): string {
  if (isTextual(text.value)) return renderText(text);
  text.refuseType("a string, an object or an array");
  return "";
}

/** The options of a choice. */
export function readOptions(options: Field): Criterion[] {
  const entries = options.entries("an object that maps option keys to descriptions");
  if (isPlainObject(options.value)) checkCount(options, entries.length, MAX_OPTIONS, "options");
  return entries.map(([key, description]) => {
    if (key === "") description.refuse("has an empty key", "empty");
    return readCriterion(key, description);
  });
}

/** The levels of a score. */
export function readLevels(levels: Field): Criterion[] {
  if (!Array.isArray(levels.value)) {
    levels.refuseType("an array of level descriptions, low to high");
    return [];
  }
  checkCount(levels, levels.value.length, MAX_LEVELS, "levels");
  // Levels beyond the greatest number need no issue of their own. Array.from, unlike map, also visits the holes of a sparse array.
  return Array.from<unknown, Criterion>(levels.value.slice(0, MAX_LEVELS), (level, i) => readCriterion(String(i), levels.at(i, level)));
}

/** The criteria of a noul: always both, without a description where the caller gave none. */
export function readYesAndNo(criteria: Field): Criterion[] {
  const { value } = criteria;
  const none = ["true", "false"].map((key) => ({ key, description: null, given: null }));
  if (value === undefined || value === null) return none;
  if (!isPlainObject(value)) {
    criteria.refuseType("an object with true, false or both, or null");
    return none;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) criteria.refuse("must hold true, false or both; leave it out for neither", "too_few");
  for (const key of keys) {
    if (key !== "true" && key !== "false")
      criteria.at(key, value[key]).refuse("is not a criterion of a noul: only true and false are", "unknown_field");
  }
  return ["true", "false"].map((key) => readCriterion(key, criteria.at(key, value[key] ?? null)));
}

function readCriterion(key: string, description: Field): Criterion {
  const { value } = description;
  if (isTextual(value)) return { key, description: renderText(description), given: value as Description };
  if (value !== null) description.refuse(`must be a description (string, object, array or null), but is ${shapeOf(value)}`, "wrong_type");
  return { key, description: null, given: null };
}

function isTextual(value: unknown): boolean {
  return typeof value === "string" || Array.isArray(value) || isPlainObject(value);
}

function checkCount(criteria: Field, count: number, max: number, what: string): void {
  if (count < 2) criteria.refuse(`must hold at least 2 ${what}, but holds ${count}`, "too_few");
  if (count > max) criteria.refuse(`must hold at most ${max} ${what}, but holds ${count}`, "too_many");
}
