import type { Question, Text } from "../../library/decide/types.ts";
import { parseRequest } from "../../library/decide/request.ts";
import { DecideError } from "../../errors.ts";
import { sampled } from "../../library/statistics/random.ts";
import { isPlainObject, shapeOf } from "../../library/validation/field.ts";
import { badInput } from "../tool-error.ts";
import { DEFAULT_CHOOSE, readOptions, type RowsFlags } from "../cli/input/request-flags.ts";
import { onlyQuestion, readQuestions } from "../cli/input/read-input.ts";
import type { Io } from "../cli/io.ts";
import { ANSWER_KINDS, nameInFiles } from "../rows/answers.ts";
import { ColumnsOfLabels, exampleReader } from "../rows/examples.ts";
import { noObject } from "../rows/json-text.ts";
import { ownValue, readRows, wrongRow, type Columns, type Row } from "../rows/read-rows.ts";
import { labelFinder, mainLabels, RowNotes, type RowPlace } from "../rows/row-notes.ts";
import { stateIn } from "../rows/state.ts";

export interface Case extends RowPlace {
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
 * Reads the cases of a file. All that can be wrong with its rows, besides a text that is too long, is found here, before the first question is asked.
 * @param notes is told of rows that are left out
 * @throws {ToolError}, and the library's own error for a question that is not valid
 */
export async function readCases(io: Io, file: string, flags: RowsFlags, notes: RowNotes): Promise<CaseFile> {
  const { textColumn, labelColumn, seed } = flags;
  const rows = await readRows(file, flags, notes);
  const wordings = await wordingsOf(flags, io);
  let all: readonly Case[];
  try {
    notes.checkSome(rows.length);
    const [first = [], ...others] = wordings.map((wording, i) =>
      // The flaw of a row is told once.
      toCases(file, rows, { ...wording, textColumn, labelColumn }, i === 0 ? notes : new RowNotes(file)),
    );
    all = others.length === 0 ? first : sideBySide(file, first, others);
  } catch (error) {
    notes.tell(io);
    throw error;
  }
  const cases = flags.rows === undefined ? all : sampled(all, flags.rows, seed).sort((a, b) => a.line - b.line);
  return { cases, areRequests: rows.some(isDecision), wordings: wordings.map(({ title }) => title) };
}

type Wording = Pick<Classification, "question" | "instructions" | "descriptions" | "options"> & { readonly title: string };

/** The question as it is given, then that question with each of the instructions; or each of several questions. @throws {ToolError} */
async function wordingsOf(flags: RowsFlags, { stdin }: Pick<Io, "stdin">): Promise<Wording[]> {
  const { instructions = [], options, question: ids, questionFiles: files = [], asked = [] } = flags;
  const twice = [instructions, files].flatMap((all) => all.filter((one, i) => all.indexOf(one) < i));
  if (twice.length > 0) throw badInput("Two wordings are the same. Give each of --instructions and of the question files once.");
  const read = files.map(async (file) => {
    const { questions: found } = await readQuestions(file, ids);
    const wanted = ids === undefined ? [onlyQuestion(found)] : Object.values(found);
    return wanted.map((question) => ({ question, title: `${file}: ${textOf(question.instructions)}` }));
  });
  const questions = [
    ...(await Promise.all(read)).flat(),
    ...asked.map(([, question]) => ({ question, title: textOf(question.instructions) })),
  ];
  if (questions.length === 0) {
    const descriptions = options === undefined ? undefined : await readOptions(options, stdin);
    const shared = { descriptions, options: descriptions && [...descriptions.keys()] };
    return instructions.length === 0
      ? [{ ...shared, title: DEFAULT_CHOOSE }]
      : instructions.map((one) => ({ ...shared, instructions: one, title: one }));
  }
  if (options !== undefined) throw badInput("The question has its own criteria, so leave out --options.");
  if (questions.length > 1 && instructions.length > 0)
    throw badInput("Give one question with --instructions, or several questions without it.");
  return [
    ...questions,
    ...questions.flatMap(({ question }) => instructions.map((one) => ({ question: { ...question, instructions: one }, title: one }))),
  ];
}

const textOf = (text: Question["instructions"] = ""): string => (typeof text === "string" ? text : JSON.stringify(text));

/** The same rows with one question each, as rows with all questions. @throws {ToolError} for a row that some wordings can use and others cannot */
function sideBySide(file: string, first: readonly Case[], others: readonly (readonly Case[])[]): Case[] {
  const placeOf = (one: Case | undefined): string | undefined => one && JSON.stringify([one.line, one.state]);
  for (const cases of others) {
    const apart = [...first.keys(), first.length].find((i) => placeOf(cases[i]) !== placeOf(first[i]));
    if (apart === undefined) continue;
    const line = Math.min(first[apart]?.line ?? Infinity, cases[apart]?.line ?? Infinity);
    throw wrongRow(file, line, "can be used with one wording and not with another: give them the same answers");
  }
  return first.map((one, row) => {
    const all = [one, ...others.flatMap((cases) => cases[row] ?? [])];
    const numbered = <T>(of: (one: Case) => Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(all.flatMap((each, i) => Object.values(of(each)).map((value) => [i + 1, value])));
    return { ...one, questions: numbered(({ questions }) => questions), truths: numbered(({ truths }) => truths) };
  });
}

/** How questions are made of rows of labelled texts. */
interface Classification extends Columns {
  /** A question of any type, asked about every text in place of a choice among the labels. */
  readonly question?: Question | undefined;
  /** The question asked about every text. Default: the command line's general one. */
  readonly instructions?: string | undefined;
  readonly descriptions?: ReadonlyMap<string, unknown> | undefined;
  /** The options of rows that have none of their own. Default: all labels and described labels, sorted. */
  readonly options?: readonly string[] | undefined;
}

/**
 * The cases of rows of either form: a text with its label, or a request with its right answers.
 * @param rows one or more
 * @param notes is told of rows that are left out. Default: they are errors
 * @returns one or more
 * @throws {ToolError} names the line and the shape of the wrong value
 */
export function toCases(file: string, rows: readonly Row[], classification: Classification, notes = new RowNotes(file, true)): Case[] {
  const [first] = rows;
  if (first === undefined) throw badInput(`${file} has no rows.`);
  const { question, instructions, descriptions, textColumn, labelColumn } = classification;
  if (isDecision(first) && [question, instructions, descriptions, textColumn, labelColumn].some((flag) => flag !== undefined))
    throw badInput(`${file} has its own questions, so leave out other questions, --options, --text-column and --label-column.`);
  const cases = isDecision(first)
    ? rows.flatMap((each) => notes.used(each, (row) => toDecision(file, row)) ?? [])
    : question === undefined
      ? toClassification(file, rows, classification, notes)
      : toStatedAnswers(file, rows, question, classification, notes);
  notes.checkSome(cases.length);
  return cases;
}

export function isDecision({ value }: Row): boolean {
  return isPlainObject(value) && "questions" in value;
}

interface LabelledText extends RowPlace {
  readonly text: Text;
  readonly label: string;
  readonly options?: readonly string[] | undefined;
}

/**
 * The cases of rows with a text and a label, which may have `options` of their own: each text becomes one choice question among the labels. Without given options,
 * labels that differ by case, blanks or Unicode form only are one.
 * @throws {ToolError}
 */
function toClassification(file: string, rows: readonly Row[], classification: Classification, notes: RowNotes): Case[] {
  const { instructions = DEFAULT_CHOOSE, descriptions = new Map<string, unknown>() } = classification;
  const columns = new ColumnsOfLabels(file, classification);
  for (const row of rows) if (isPlainObject(row.value)) columns.see(row);
  columns.check();
  const texts = rows.flatMap((each) => notes.used(each, (row) => labelledText(file, row, columns)) ?? []);
  const described = [...descriptions.keys()];
  const meantOfDescribed = labelFinder(described);
  const found = mainLabels(texts.map(({ label }) => label)).filter((label) => meantOfDescribed(label) === undefined);
  const all = classification.options ?? [...new Set([...found, ...described])].sort();
  if (classification.options === undefined && texts.length > 0 && all.length < 2 && texts.some(({ options }) => options === undefined))
    throw badInput(`${file}: all labels are the same: give --options with at least 2 of them.`);
  const meantOfAll = labelFinder(all);
  const toCase = ({ line, id, text, label: written, options: own }: LabelledText): Case => {
    const options = own ?? all;
    const label = (own === undefined ? meantOfAll : labelFinder(own))(written);
    if (label === undefined) {
      const whose = own === undefined ? "the options: add it to --options, or correct the row" : "its options";
      throw wrongRow(file, line, `has a label that is not among ${whose}`);
    }
    const criteria = Object.fromEntries(options.map((option) => [option, descriptions.get(option) ?? null]));
    const questions = { label: { type: "choice", instructions, criteria } as Question };
    checkRequest(file, line, { state: text, questions });
    notes.join(written, label);
    return { line, id, state: text, questions, truths: { label } };
  };
  return texts.flatMap((text) => notes.used(text, toCase) ?? []);
}

function labelledText(file: string, row: Row, columns: ColumnsOfLabels): LabelledText {
  const { line, id, value } = row;
  if (!isPlainObject(value)) throw wrongRow(file, line, noObject(value));
  const text = columns.stateOf(row) as Text;
  const label = ownValue(value, columns.label);
  if (typeof label !== "string" && label !== undefined && label !== null)
    throw wrongRow(file, line, `must have a string as ${columns.label}, but has ${shapeOf(label)}`);
  if ((label ?? "").trim() === "") throw wrongRow(file, line, `has no label in ${columns.label}`);
  const { options } = value;
  const isList = Array.isArray(options) && options.every((item) => typeof item === "string");
  if (options !== undefined && !isList) throw wrongRow(file, line, `must have an array of strings as options, but has ${shapeOf(options)}`);
  if (options !== undefined && new Set(options).size < options.length) throw wrongRow(file, line, "has the same option twice");
  return { line, id, text, label: label ?? "", options };
}

const ID = "answer";

/** The cases of rows that state the answers to one question, as examples of `umpire teach` do. @throws {ToolError} */
function toStatedAnswers(file: string, rows: readonly Row[], question: Question, columns: Columns, notes: RowNotes): Case[] {
  const reader = exampleReader(file, question, columns, notes);
  const toCase = (row: Row): Case => {
    const { line, id, state, answer } = reader.read(row);
    if (answer === undefined) throw wrongRow(file, line, "has no answer");
    return { line, id, state: state as Text, questions: { [ID]: question }, truths: { [ID]: nameInFiles(question.type, String(answer)) } };
  };
  const cases = rows.flatMap((row) => notes.used(row, toCase) ?? []);
  reader.end();
  return cases;
}

/** The case of a row in the form of a request: `{state, questions: {id: {type, instructions, criteria, answer}}}`. @throws {ToolError} */
function toDecision(file: string, row: Row): Case {
  const { line, id, value } = row;
  checkRequest(file, line, value);
  const { questions } = value as { readonly questions: Readonly<Record<string, Question & { readonly answer?: unknown }>> };
  const read = stateIn(row, "state");
  if ("wrong" in read) throw wrongRow(file, line, read.wrong);
  const entries = Object.entries(questions).map(([key, { answer, ...question }], i) => {
    // JSON states it in the answer's own type.
    const stated = ANSWER_KINDS[question.type].reader(question)(answer);
    if (stated === undefined || stated !== answer) {
      const what = `has ${shapeOf(answer)} as answer to question ${i + 1}, which a ${ANSWER_KINDS[question.type].title} question does not allow`;
      throw wrongRow(file, line, what);
    }
    return { key, question, truth: nameInFiles(question.type, String(stated)) };
  });
  return {
    line,
    id,
    state: read.state as Text,
    questions: Object.fromEntries(entries.map(({ key, question }) => [key, question])),
    truths: Object.fromEntries(entries.map(({ key, truth }) => [key, truth])),
  };
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
