import type { Calibration, OptionText } from "../../engine/engine.ts";
import type { Field } from "../../validation/field.ts";
import { shapeOf } from "../../validation/shape.ts";
import { isTextual, renderText } from "../text.ts";
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

/** One type of question, at each stage of a decision. */
export interface QuestionKind<Q extends Question = Question, A extends Answer = Answer> {
  /** Words that people write instead of the type's name, in lower case. */
  readonly aliases: readonly string[];
  /** Reads what a question holds besides its id and type. Whatever is wrong becomes an issue. */
  parse(fields: { readonly instructions: Field; readonly criteria: Field }): Content;
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
  /** The probabilities that an answer states, by the criteria's keys. */
  sharesOf(answer: A): { readonly [key: string]: number };
  /**
   * The question as plain JSON, its texts as they are read. It parses to the same again, whatever becomes of the caller's object.
   * @param asGiven whether criteria that the answer repeats are copied as they were given instead
   */
  toPlain(content: Content, asGiven: boolean): Q;
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
