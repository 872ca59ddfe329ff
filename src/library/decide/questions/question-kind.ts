import type { IssueType } from "../../../errors.ts";
import type { Calibration, OptionText } from "../../engine/engine.ts";
import { isNear, isPlainObject, refuseAs, shapeOf, shownValue, type Field } from "../../validation/field.ts";
import type { Answer, Description, Question } from "../types.ts";

/** A criterion: its key, its description as text (null: none), and the description as the caller gave it. */
export interface Criterion {
  readonly key: string;
  readonly description: string | null;
  readonly given: Description;
}

/** A question that keeps every rule of the contract, its texts rendered. */
export interface ParsedQuestion {
  readonly id: string;
  readonly type: Question["type"];
  /** "" where a noul has none. */
  readonly instructions: string;
  /** Choice: its options. Noul: "true" and "false", always both. Score: its levels, keys "0" to "n-1". */
  readonly criteria: readonly Criterion[];
}

export type Content = Pick<ParsedQuestion, "instructions" | "criteria">;

/** One type of question, as it is asked. */
export interface QuestionKind {
  /** Words that people write instead of the type's name, in lower case. */
  readonly aliases: readonly string[];
  /** Reads what a question holds besides its id and type. Whatever is wrong becomes an issue. */
  parse(fields: { readonly instructions: Field; readonly criteria: Field }): Content;
}

/** One type of question, as it is answered. What only reads questions, such as a page's script for teaching, does without. */
export interface Answering<A extends Answer = Answer> {
  /**
   * A criterion as the model reads it; the texts that count as input tokens, since the caller sent them; and the one that counts as output tokens where the
   * criterion is the answer (null: one token).
   */
  read(criterion: Criterion): OptionText;
  /**
   * Entailment scores to probabilities, in the same order. They sum to 1, give or take rounding.
   * @param scores float32 [criteria]
   * @throws {DecideError} `internal` for a number of scores that no such question has, or a calibration without a temperature.
   */
  calibrate(scores: Float32Array, calibration: Calibration): Float64Array;
  /**
   * Probabilities as the answer that the caller gets. Nothing is rounded.
   * @param probabilities float64 [criteria], in the order of the criteria
   */
  answer(criteria: readonly Criterion[], probabilities: Float64Array): A;
}

/** An option of a choice, or yes or no: its description may be null. */
export function readCriterion(key: string, description: Field): Criterion {
  const { value } = description;
  if (isTextual(value)) return { key, description: renderText(description), given: value as Description };
  if (value !== null)
    description.refuse(`must be a description (a string, an object, an array or null), but is ${shapeOf(value)}`, "wrong_type");
  return { key, description: null, given: null };
}

export function checkCount(criteria: Field, count: number, max: number, what: string, example: string): void {
  if (count < 2) criteria.refuse(`must hold at least 2 ${what}, such as ${example}, but holds ${count}`, "too_few");
  if (count > max) criteria.refuse(`must hold at most ${max} ${what}, but holds ${count}`, "too_many");
}

/** Object.fromEntries defines its keys, so that one named `__proto__` is a key like any other. */
export function byKey<V>(criteria: readonly Criterion[], value: (criterion: Criterion, index: number) => V): Record<string, V> {
  return Object.fromEntries(criteria.map((criterion, i) => [criterion.key, value(criterion, i)]));
}

/** The longest id of a question and the longest key of an option, in UTF-16 units. Answers and issues repeat them. */
export const MAX_NAME_CHARACTERS = 16_384;

/**
 * The fields of an object whose names the caller chooses; of any other value none, and an issue. A name that is too long is an issue, too, at the place of
 * the object: no place holds such a name.
 * @param words what the object is, after "must be"
 */
export function namedFields(holder: Field, words: string): (readonly [string, Field])[] {
  return holder.entries(words).filter(([name], i, { length }) => {
    if (name.length <= MAX_NAME_CHARACTERS) return true;
    const which = `name ${i + 1} of ${length} has ${name.length}`;
    holder.refuse(`must hold names of at most ${MAX_NAME_CHARACTERS} characters, but ${which}`, "too_long");
    return false;
  });
}

/** Deeper values are refused: no model makes sense of them, and they could exhaust a reader's stack. */
const MAX_DEPTH = 100;
/** Bound on the text that one structured value may become, in UTF-16 units; far above every model's budget. */
const MAX_CHARACTERS = 4_194_304;

/**
 * Renders a JSON value as the text that a model reads, once and for good: what is returned no longer depends on the value.
 * Strings stay as they are; objects become `key: value` lines and arrays `- item` lines, in their own order.
 * Values that JSON cannot hold become issues at their place below the field.
 */
export function renderText({ value, loc, issues }: Field): string {
  /** Keys from the value down to the part that is being rendered. */
  const path: (string | number)[] = [];
  // An object that is referred to many times is rendered once: otherwise a small value could keep us busy for ever. Undefined: it is being rendered.
  const known = new Map<object, string | undefined>();
  let characters = 0;

  const fail = (msg: string, type: IssueType): string => {
    // Issues count like text, so that their number is bounded, too.
    characters += msg.length;
    issues.push({ loc: [...loc, ...path], msg, type });
    return "";
  };
  const inside = (holder: object, render: () => string[]): string => {
    const before = known.get(holder);
    if (before !== undefined) {
      characters += before.length;
      return before;
    }
    if (known.has(holder)) return fail("contains itself", "cyclic");
    if (path.length >= MAX_DEPTH) return fail(`is nested deeper than ${MAX_DEPTH} levels`, "too_deep");
    known.set(holder, undefined);
    const parts = render();
    const text = characters > MAX_CHARACTERS ? "" : parts.join("\n");
    known.set(holder, text);
    return text;
  };
  const line = (start: string, key: string | number, item: unknown): string => {
    if (characters > MAX_CHARACTERS) return "";
    characters += start.length;
    path.push(key);
    const text = start + rendered(item);
    path.pop();
    return text;
  };
  const lines = (items: readonly unknown[]): string[] => {
    // Array.from, unlike map, also visits the holes of a sparse array, which may have billions of them.
    if (items.length <= MAX_CHARACTERS) return Array.from(items, (part, i) => line("- ", i, part));
    characters += items.length;
    return [];
  };
  const rendered = (item: unknown): string => {
    if (typeof item === "string") {
      characters += item.length;
      return item;
    }
    if (item === null || typeof item === "boolean" || (typeof item === "number" && Number.isFinite(item))) return JSON.stringify(item);
    if (Array.isArray(item)) return inside(item, () => lines(item));
    if (isPlainObject(item)) {
      return inside(item, () =>
        Object.entries(item)
          .filter(([, part]) => part !== undefined)
          .map(([key, part]) => line(`${key}: `, key, part)),
      );
    }
    const advice = item instanceof Date ? ": use its toISOString()" : ArrayBuffer.isView(item) ? ": give its text" : "";
    return fail(`must be a JSON value, but is ${shownValue(item)}${advice}`, path.length === 0 ? "wrong_type" : "not_json");
  };

  const text = rendered(value);
  if (typeof value !== "string" && characters > MAX_CHARACTERS) {
    return fail(`becomes a text of more than ${MAX_CHARACTERS} characters`, "too_long");
  }
  return text;
}

/** Required text: a string, an object or an array. "" where it is refused. */
export function readText(text: Field): string {
  // Bytes, such as a file that was read without an encoding, are refused there with what to give instead.
  if (isTextual(text.value) || ArrayBuffer.isView(text.value)) return renderText(text);
  text.refuseType("a string, an object or an array");
  return "";
}

/** Whether a value may be rendered, whatever is inside it. */
function isTextual(value: unknown): boolean {
  return typeof value === "string" || Array.isArray(value) || isPlainObject(value);
}

/** Index of the largest probability, the first one on a tie. */
export function argmax(probabilities: Float64Array): number {
  return probabilities.indexOf(Math.max(...probabilities));
}

/** The entry for a number of options: the first one that reaches so far, or else the last. Entries ascend by `maxOptions`; there is none only in an empty list. */
export function bucketFor<B extends { readonly maxOptions: number }>(buckets: readonly B[], options: number): B | undefined {
  return buckets.find(({ maxOptions }) => options <= maxOptions) ?? buckets.at(-1);
}

/** Words that people write instead of the names of fields, in lower case. */
const ALIASES: { readonly [name: string]: readonly string[] } = {
  state: ["text", "input", "content", "context", "document", "message", "prompt"],
  instructions: ["question", "prompt", "text", "description"],
  criteria: ["options", "labels", "choices", "levels", "categories", "classes"],
};

/** Of an object with more fields, only the first are compared with those that may have been meant: no person writes so many. */
const MAX_COMPARED = 32;

/** Whether someone who wrote `given` probably meant `name`. @param aliases other words for it, in lower case, of at most 20 characters */
export function isMeant(given: string, name: string, aliases: readonly string[] = ALIASES[name] ?? []): boolean {
  return isNear(given, name) || aliases.includes(given.slice(0, 20).toLowerCase());
}

/** Names of an object's fields that are none of those that are known, for `fieldMeant`. */
export function otherNames({ value }: Field, known: readonly string[]): string[] {
  return Object.keys(value as object)
    .slice(0, MAX_COMPARED)
    .filter((name) => !known.includes(name));
}

/**
 * The field of an object, with an issue for each other that is nearly called so. Where the field itself is missing, those that people write instead of it
 * have one, too, and the first is read instead, so that what is wrong inside it is told.
 */
export function fieldMeant(holder: Field, name: string, others: readonly string[]): Field {
  const field = holder.get(name);
  const misnamed = others
    .filter((given) => (field.isMissing ? isMeant(given, name) : isNear(given, name)))
    .map((given) => holder.get(given))
    .filter((other) => !other.isMissing);
  for (const other of misnamed) refuseAs(other, name);
  return field.isMissing ? (misnamed[0] ?? field) : field;
}
