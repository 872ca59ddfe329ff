import type { Question } from "../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../library/validation/shape.ts";
import { DEFAULT_CHOOSE } from "../cli/input/request-flags.ts";
import { badInput } from "../tool-error.ts";
import { checkRequest } from "./check-request.ts";
import { wrongRow } from "../rows/read-rows.ts";
import type { Row } from "../rows/read-rows.ts";
import type { Case } from "./case.ts";

export interface Classification {
  /** A question of any type, asked about every text in place of a choice among the labels. */
  readonly question?: Question | undefined;
  /** The question asked about every text. Default: the command line's general one. */
  readonly instructions?: string | undefined;
  /** Descriptions of labels. */
  readonly descriptions?: ReadonlyMap<string, unknown> | undefined;
  /** The options of rows that have none of their own. Default: all labels and described labels, sorted. */
  readonly options?: readonly string[] | undefined;
  /** The field with the text. Default: `text`. */
  readonly textColumn?: string | undefined;
  /** The field with the right label. Default: `label`. */
  readonly labelColumn?: string | undefined;
}

interface LabelledText {
  readonly text: string;
  readonly label: string;
  readonly options?: readonly string[] | undefined;
}

/**
 * The cases of rows `{text, label}`, which may have `options` of their own: each text becomes one choice question among the labels.
 * @param file named in error messages
 * @throws {ToolError}
 */
export function toClassification(file: string, rows: readonly Row[], classification: Classification = {}): Case[] {
  const { instructions = DEFAULT_CHOOSE, descriptions = new Map<string, unknown>() } = classification;
  const texts = rows.map((row) => ({ line: row.line, ...labelledText(file, row, classification) }));
  const all = classification.options ?? [...new Set([...texts.map(({ label }) => label), ...descriptions.keys()])].sort();
  if (classification.options === undefined && all.length < 2 && texts.some(({ options }) => options === undefined))
    throw badInput(`${file}: all labels are the same: give --criteria with at least 2 options.`);
  return texts.map(({ line, text, label, options: own }) => {
    const options = own ?? all;
    if (!options.includes(label)) {
      const whose = own === undefined ? "the criteria: add it to the criteria file, or correct the row" : "its options";
      throw wrongRow(file, line, `has a label that is not among ${whose}`);
    }
    const criteria = Object.fromEntries(options.map((option) => [option, descriptions.get(option) ?? null]));
    const questions = { label: { type: "choice", instructions, criteria } as Question };
    checkRequest(file, line, { state: text, questions });
    return { line, state: text, questions, truths: { label } };
  });
}

function labelledText(file: string, { line, value }: Row, { textColumn = "text", labelColumn = "label" }: Classification): LabelledText {
  if (!isPlainObject(value))
    throw wrongRow(file, line, `must be an object with ${textColumn} and ${labelColumn}, but is ${shapeOf(value)}`);
  const stringAt = (column: string): string => {
    const field = Object.hasOwn(value, column) ? value[column] : undefined;
    if (typeof field === "string") return field;
    throw wrongRow(file, line, `must have a string as ${column}, but has ${shapeOf(field)}`);
  };
  const { options } = value;
  if (options !== undefined && !isListOfStrings(options))
    throw wrongRow(file, line, `must have an array of strings as options, but has ${shapeOf(options)}`);
  if (options !== undefined && new Set(options).size < options.length) throw wrongRow(file, line, "has the same option twice");
  return { text: stringAt(textColumn), label: stringAt(labelColumn), options };
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
