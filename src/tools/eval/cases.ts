import type { Question, Text } from "../../library/decide/types.ts";
import { parseRequest } from "../../library/decide/request.ts";
import { DecideError } from "../../errors.ts";
import { sampled } from "../../library/statistics/random.ts";
import { isPlainObject, shapeOf } from "../../library/validation/field.ts";
import { badInput } from "../tool-error.ts";
import { DEFAULT_CHOOSE } from "../cli/input/request-flags.ts";
import { readQuestion, readRequest } from "../cli/input/read-input.ts";
import type { RowsFlags } from "../cli/input/rows-flags.ts";
import type { Io } from "../cli/io.ts";
import { ANSWER_KINDS, nameInFiles } from "../rows/answers.ts";
import type { StatedAnswer } from "../rows/answers.ts";
import { exampleReader } from "../rows/examples.ts";
import type { ExampleColumns } from "../rows/examples.ts";
import { checkColumns, readRows, wrongRow } from "../rows/read-rows.ts";
import type { Row } from "../rows/read-rows.ts";

export interface Case {
  /** Number of its row's line, from 1. */
  readonly line: number;
  readonly state: Text;
  readonly questions: Readonly<Record<string, Question>>;
  /** Option keys by question id; "yes" or "no" for a noul (yes/no question), the level's number for a score. */
  readonly truths: Readonly<Record<string, string>>;
}

interface CaseFile {
  /** Those that were chosen, in the order of their lines. With several wordings, each has a question of every wording, with its number from 1 as its id. */
  readonly cases: readonly Case[];
  readonly areRequests: boolean;
  /** For people; one for requests, too. */
  readonly wordings: readonly string[];
}

/**
 * Reads the cases of a file. Everything that can be wrong with its rows is found here, before the first question is asked.
 * @throws {ToolError}, and the library's own error for a question that is not valid
 */
export async function readCases(io: Pick<Io, "stdin">, file: string, flags: RowsFlags): Promise<CaseFile> {
  const { textColumn, labelColumn, seed } = flags;
  const rows = await readRows(file);
  const wordings = await wordingsOf(flags, io);
  const read = wordings.map((wording) => toCases(file, rows, { ...wording, textColumn, labelColumn }));
  const [all = []] = read.length === 1 ? read : [sideBySide(read)];
  const cases = flags.rows === undefined ? all : sampled(all, flags.rows, seed).sort((a, b) => a.line - b.line);
  return { cases, areRequests: rows.some(isDecision), wordings: wordings.map(({ title }) => title) };
}

type Wording = Pick<Classification, "question" | "instructions" | "descriptions" | "options"> & { readonly title: string };

/** The question as a file has it, then that question with each of the instructions; or each of several files. @throws {ToolError} */
async function wordingsOf({ instructions = [], criteria, question: files = [] }: RowsFlags, io: Pick<Io, "stdin">): Promise<Wording[]> {
  const twice = [instructions, files].flatMap((all) => all.filter((one, i) => all.indexOf(one) < i));
  if (twice.length > 0) throw badInput("Two wordings are the same. Give each of --instructions and of the question files once.");
  if (files.length === 0) {
    const descriptions = criteria === undefined ? undefined : await readCriteria(criteria, io);
    const shared = { descriptions, options: descriptions && [...descriptions.keys()] };
    return instructions.length === 0
      ? [{ ...shared, title: DEFAULT_CHOOSE }]
      : instructions.map((one) => ({ ...shared, instructions: one, title: one }));
  }
  if (criteria !== undefined) throw badInput("--question has its own criteria, so leave out --criteria.");
  if (files.length > 1 && instructions.length > 0)
    throw badInput("Give one question file with --instructions, or several question files without it.");
  const read = await Promise.all(files.map(async (file) => [file, await readQuestion(file, undefined)] as const));
  return [
    ...read.map(([file, question]) => ({ question, title: `${file}: ${textOf(question.instructions)}` })),
    ...read.flatMap(([, question]) => instructions.map((one) => ({ question: { ...question, instructions: one }, title: one }))),
  ];
}

const textOf = (text: Question["instructions"] = ""): string => (typeof text === "string" ? text : JSON.stringify(text));

/** The same rows with one question each, as rows with all questions. */
function sideBySide([first = [], ...others]: readonly (readonly Case[])[]): Case[] {
  return first.map((one, row) => {
    const all = [one, ...others.flatMap((cases) => cases[row] ?? [])];
    const numbered = <T>(of: (one: Case) => Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(all.flatMap((each, i) => Object.values(of(each)).map((value) => [i + 1, value])));
    return { ...one, questions: numbered(({ questions }) => questions), truths: numbered(({ truths }) => truths) };
  });
}

/** Reads a choice's criteria: a JSON object with a description, or null, for each option. The options keep its order. @throws {ToolError} */
async function readCriteria(file: string, io: Pick<Io, "stdin">): Promise<ReadonlyMap<string, unknown>> {
  const expected = 'It must be an object with a description for each option: { "billing": "invoices", "sales": null }.';
  const { value } = await readRequest(io, file, expected);
  if (!isPlainObject(value)) throw badInput(`${file} holds ${shapeOf(value)}. ${expected}`);
  return new Map(Object.entries(value));
}

/** How questions are made of rows of labelled texts. */
interface Classification {
  /** A question of any type, asked about every text in place of a choice among the labels. */
  readonly question?: Question | undefined;
  /** The question asked about every text. Default: the command line's general one. */
  readonly instructions?: string | undefined;
  readonly descriptions?: ReadonlyMap<string, unknown> | undefined;
  /** The options of rows that have none of their own. Default: all labels and described labels, sorted. */
  readonly options?: readonly string[] | undefined;
  readonly textColumn?: string | undefined;
  readonly labelColumn?: string | undefined;
}

/**
 * The cases of rows of either form: a text with its label, or a request with its right answers.
 * @param rows one or more
 * @throws {ToolError} names the line and the shape of the wrong value
 */
export function toCases(file: string, rows: readonly Row[], classification: Classification): Case[] {
  const [first] = rows;
  if (first === undefined) throw badInput(`${file} has no rows.`);
  if (isDecision(first)) {
    const { question, instructions, descriptions, textColumn, labelColumn } = classification;
    if ([question, instructions, descriptions, textColumn, labelColumn].some((flag) => flag !== undefined))
      throw badInput(
        `${file} has its own questions, so leave out --question, --instructions, --criteria, --text-column and --label-column.`,
      );
    return toDecisions(file, rows);
  }
  const { question, textColumn = "text", labelColumn = "label" } = classification;
  if (question !== undefined)
    return toStatedAnswers(file, rows, question, { state: classification.textColumn, answer: classification.labelColumn });
  const { value } = first;
  // A row with a state and no text was to be a request. CSV may have both as columns.
  if (isPlainObject(value) && (Object.hasOwn(value, textColumn) || !Object.hasOwn(value, "state"))) {
    checkColumns(file, value, [textColumn, labelColumn], "--text-column and --label-column");
    return toClassification(file, rows, classification);
  }
  const what = `must be a row with ${textColumn} and ${labelColumn}, or with state and questions, but is ${shapeOf(value)} without them`;
  throw wrongRow(file, first.line, what);
}

export function isDecision({ value }: Row): boolean {
  return isPlainObject(value) && "questions" in value;
}

interface LabelledText {
  readonly text: string;
  readonly label: string;
  readonly options?: readonly string[] | undefined;
}

/** The cases of rows `{text, label}`, which may have `options` of their own: each text becomes one choice question among the labels. @throws {ToolError} */
function toClassification(file: string, rows: readonly Row[], classification: Classification): Case[] {
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

const ID = "answer";

/** The cases of rows that state the answers to one question, as examples of `umpire teach` do. Rows without an answer are left out. @throws {ToolError} */
function toStatedAnswers(file: string, rows: readonly Row[], question: Question, columns: ExampleColumns): Case[] {
  const reader = exampleReader(file, question, columns, "--text-column and --label-column");
  const examples = rows.map((row) => reader.read(row));
  reader.end();
  const cases = examples.flatMap(({ line, state, answer }) =>
    answer === undefined
      ? []
      : [{ line, state: state as Text, questions: { [ID]: question }, truths: { [ID]: nameInFiles(question.type, String(answer)) } }],
  );
  if (cases.length === 0) throw badInput(`${file} has no row with an answer.`);
  return cases;
}

interface Decision {
  readonly state: Text;
  readonly questions: Readonly<Record<string, Question & { readonly answer?: unknown }>>;
}

/** The cases of rows in the form of a request: `{state, questions: {id: {type, instructions, criteria, answer}}}`. @throws {ToolError} */
function toDecisions(file: string, rows: readonly Row[]): Case[] {
  return rows.map(({ line, value }) => {
    checkRequest(file, line, value);
    const { state, questions } = value as Decision;
    const entries = Object.entries(questions).map(([id, { answer, ...question }], i) => {
      if (!isAnswerTo(question, answer)) {
        const what = `has ${shapeOf(answer)} as answer to question ${i + 1}, which a ${question.type} question does not allow`;
        throw wrongRow(file, line, what);
      }
      return { id, question, truth: nameInFiles(question.type, String(answer)) };
    });
    return {
      line,
      state,
      questions: Object.fromEntries(entries.map(({ id, question }) => [id, question])),
      truths: Object.fromEntries(entries.map(({ id, truth }) => [id, truth])),
    };
  });
}

/** Whether JSON states an answer to the question in the answer's own type. */
function isAnswerTo(question: Question, answer: unknown): answer is StatedAnswer {
  return answer !== undefined && ANSWER_KINDS[question.type].reader(question)(answer) === answer;
}

/** Checks a row's request with the library's own rules, before anything is asked. @throws {ToolError} */
function checkRequest(file: string, line: number, request: unknown): void {
  try {
    parseRequest(request);
  } catch (error) {
    if (!DecideError.isInstance(error)) throw error;
    // The message starts with the same words, and points at a list that this person does not see.
    const said = error.message.replace(/^The request is not valid: /u, "").replace(/: see issues(?=\)\.$)|\.$/gu, "");
    throw wrongRow(file, line, `is not a valid request. ${said}`);
  }
}
