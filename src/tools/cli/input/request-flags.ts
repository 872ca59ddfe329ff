import { existsSync } from "node:fs";
import { InvalidArgumentError, type Command } from "commander";
import { MAX_LEVELS } from "../../../library/decide/questions/score.ts";
import { MAX_OPTIONS } from "../../../library/decide/questions/choice.ts";
import type { ChoiceQuestion, NoulQuestion, Question, Questions, ScoreQuestion } from "../../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../../library/validation/field.ts";
import { nameOf } from "../../rows/read-text.ts";
import { badInput } from "../../tool-error.ts";
import type { Io } from "../io.ts";
import { notice } from "../output/screen.ts";
import { clip, oneLine } from "../output/terminal-text.ts";
import { addTableFlags, collected, countFrom, OldName, refuseFlags, type TableFlags } from "./flags.ts";
import { checkedQuestions, ONLY, readJsonFile, readQuestions, readRequest, readState } from "./read-input.ts";
import type { QuestionsRead, RequestInput } from "./read-input.ts";

export interface RequestFlags extends QuestionFlags {
  readonly state?: string;
  readonly questions?: string;
}

/** An argument that is no file may be a long text. */
const MAX_NAME_CELLS = 100;

export function addRequestFlags(command: Command): Command {
  command
    .option("-s, --state <text>", 'the text to judge; @file reads it from a file, "-" from standard input')
    .option("--questions <file>", "JSON file with the question to ask about it, or with questions by their ids");
  refuseFlags(command, [["text", "--state"]]);
  return addQuestionFlags(command);
}

/** Requests from files or standard input, or the one that was typed. @throws {ToolError} */
export async function inputsFrom(
  io: Io,
  command: string,
  files: readonly string[],
  flags: RequestFlags,
): Promise<[RequestInput, ...RequestInput[]]> {
  const { state, questions: named, question: ids } = flags;
  const isPiped = io.stdin.isTTY !== true;
  const [first, ...more] = files;
  if (state === undefined) files.forEach(checkExists);
  if (first !== undefined && (isAsked(flags) || named !== undefined || (state !== undefined && more.length > 0))) throw badInput(NOT_BOTH);
  const file = named ?? (state === undefined ? undefined : first);
  if (isAsked(flags) || file !== undefined) {
    const { questions, hasState } = await questionsFrom(io, file, flags);
    if (hasState && named === undefined) throw badInput(NOT_BOTH);
    if (state === undefined && !isPiped) throw badInput("There is nothing to judge. Give the text with --state, or pipe it in.");
    return [{ source: "The request", title: "", value: { state: await readState(io, state ?? "-"), questions }, isTyped: true }];
  }
  if (state !== undefined) throw badInput("There is no question. Ask with --choose, --ask or --rate, or give a file of --questions.");
  if (first === undefined && !isPiped)
    throw badInput(
      `There is nothing to ${command}. Give a request file, or --state with a question; "umpire ${command} --help" shows how.`,
    );
  return Promise.all([readRequest(io, first ?? "-", ids), ...more.map((other) => readRequest(io, other, ids))]);
}

const NOT_BOTH = "Give a request file or --state with questions, not both: a file has its own state and questions.";

export interface QuestionFlags {
  /** The questions of --choose, --ask and --rate, in order. */
  readonly asked?: readonly AskedQuestion[];
  readonly instructions?: readonly string[];
  /** Descriptions by option, or a file with them. */
  readonly options?: string | ReadonlyMap<string, unknown>;
  /** Those that are meant of a file. */
  readonly question?: readonly string[];
}

export function addQuestionFlags(command: Command): Command {
  for (const { name, value, does, read } of Object.values(QUESTION_FLAGS))
    command.option(`--${name} ${value}`, does, (text: string) => {
      const question = read(text);
      const { asked = [] } = command.opts<QuestionFlags>();
      command.setOptionValue("asked", [...asked, [name, question]]);
      return question;
    });
  return command
    .option("--instructions <text>", "the question to ask, with --options; may be repeated", collected)
    .option("--options <options>", 'the options: "billing, sales", or a JSON file with their descriptions', optionsFrom)
    .option("-q, --question <id>", "which question of a file is meant; may be repeated", collected);
}

export const isAsked = ({ asked, instructions, options }: QuestionFlags): boolean => (asked ?? instructions ?? options) !== undefined;

/** The questions of a file, or those that flags ask. @param file undefined: there is none @throws {ToolError} and the library's own error */
export async function questionsFrom({ stdin }: Pick<Io, "stdin">, file: string | undefined, flags: QuestionFlags): Promise<QuestionsRead> {
  const { asked = [], instructions, options, question } = flags;
  if (isAsked(flags) && (file ?? question) !== undefined)
    throw badInput("There are two questions: one of a file or --question, one of other flags. Give one of them.");
  if (file !== undefined) return readQuestions(file, question, stdin);
  if (!isAsked(flags)) throw badInput("There is no question. Give a file with it, or --choose, --ask, --rate or --options.");
  if (instructions !== undefined && options === undefined)
    throw badInput("--instructions goes with --options. For another question than a choice, there are --ask and --rate.");
  const criteria = options && Object.fromEntries(await readOptions(options, stdin));
  const choices = criteria === undefined ? [] : (instructions ?? [DEFAULT_CHOOSE]);
  const made = choices.map((one) => [ONLY, { type: "choice", instructions: one, criteria } as Question] as const);
  const questions = await checkedQuestions("The call", withIds([...asked, ...made]));
  return { questions, isOne: Object.keys(questions).length === 1, hasState: false };
}

/** The questions, of the first of two files or of flags, and the file of rows. @throws as `questionsFrom` */
export async function questionsAndRows(
  io: Io,
  files: readonly string[],
  flags: QuestionFlags,
): Promise<[questions: Questions, rows: string]> {
  const [first, second, ...others] = files;
  if (first === undefined) throw badInput("Give a file with questions, or flags that ask them, and one with rows; --help shows how.");
  if (others.length > 0) throw badInput("There are more than two files. Give one with questions and one with rows.");
  if (second !== undefined && first === "-") throw badInput("The questions must be in a file: standard input is for the rows.");
  const { questions } = await questionsFrom(io, second === undefined ? undefined : first, flags);
  return [questions, second ?? first];
}

export interface RowsFlags extends TableFlags, QuestionFlags {
  readonly questionFiles?: readonly string[];
  readonly rows?: number;
  readonly seed: number;
}

export const ROWS_HELP = `
Rows:
  {"text": "I was charged twice.", "label": "billing"}
  {"state": "...", "questions": {"urgent": {"type": "noul",
    "instructions": "Is it urgent?", "answer": true}}}
  CSV has a first line with the columns' names: text,label
  A row that cannot be used is left out, and told on standard error.

The labels are the options, unless --options gives them. To another question the
labels are the answers; --instructions asks it in other words.`;

/** Flags of a command that asks about rows with right answers. Its last argument is the question's file, or several. */
export function addRowsFlags(command: Command): Command {
  command
    .argument("<file>", ".jsonl, .json, .csv or .tsv, also with .gz: a text and its label a row, or a request with its right answers")
    .argument("[question...]", "JSON files with the question, or with several by their ids");
  return addTableFlags(addQuestionFlags(command))
    .addOption(new OldName("--criteria <file>", "--options"))
    .option("--rows <number>", "ask only so many rows, chosen at random", countFrom)
    .option("--seed <number>", "chooses other rows", countFrom, 7);
}

/** The flags with the question files. In the version before, --question named them. */
export function withQuestionFiles<F extends RowsFlags>(io: Pick<Io, "stderr">, questionFiles: readonly string[], flags: F): F {
  const { question } = flags;
  if (question === undefined || questionFiles.length > 0) return { ...flags, questionFiles };
  notice(io, "a question file now stands after the rows, and --question is an id in it; --question <file> goes in the next version.");
  return { ...flags, questionFiles: question, question: undefined };
}

/** @param options descriptions by option, or a JSON file with them @throws {ToolError} */
export async function readOptions(
  options: string | ReadonlyMap<string, unknown>,
  stdin: Io["stdin"],
): Promise<ReadonlyMap<string, unknown>> {
  if (typeof options !== "string") return options;
  const expected = 'It must be an object with a description for each option: { "billing": "invoices", "sales": null }.';
  const value = await readJsonFile(options, expected, stdin);
  if (!isPlainObject(value)) throw badInput(`${nameOf(options)} holds ${shapeOf(value)}. ${expected}`);
  return new Map(Object.entries(value));
}

/** Reads `--options`: names with commas between them, each with a description or not; or a file. */
function optionsFrom(text: string, before: unknown): string | ReadonlyMap<string, unknown> {
  if (before !== undefined) throw new InvalidArgumentError("It is given twice.");
  return /^-$|^[^,]*\.json$/iu.test(text) || existsSync(text) ? text : optionsIn(listIn(text));
}

/** @throws {ToolError} for an argument that is no file: it may be the text itself. */
function checkExists(file: string): void {
  if (file === "-" || existsSync(file)) return;
  throw badInput(
    `${clip(oneLine(file), MAX_NAME_CELLS)} cannot be read: there is no such file. For a text to judge, did you mean --state?`,
  );
}

/**
 * The syntax of questions on the command line: `Which team? billing, technical=bugs and outages, other`.
 * - A question, or an instruction that ends in a colon, may come first. Its `?` or `:` is followed by a space, and there is no `=` before it.
 * - Options and levels are separated by commas. An option's description follows its first `=`.
 * - A backslash makes the next character literal.
 */
const QUESTION_IN_FRONT = /^((?:\\.|[^\\=])*?[?:])\s+(.+)$/su;
const BETWEEN_COMMAS = /(?:\\.|[^\\,]|\\$)+/gsu;
const KEY_AND_DESCRIPTION = /^((?:\\.|[^\\=])*)=(.*)$/su;

// Each is the best of six wordings, measured on 3,003 choices and 489 ratings with many kinds of labels. A specific question was right more often: by 7
// points for choices, and by 9 for ratings.
export const DEFAULT_CHOOSE = "Which of these fits best?";
const DEFAULT_RATE = "Which level describes it best?";

export function choiceFrom(text: string): ChoiceQuestion {
  const { instructions = DEFAULT_CHOOSE, items } = readList(text);
  return { type: "choice", instructions, criteria: Object.fromEntries(optionsIn(items)) };
}

/** Descriptions by option. @throws {InvalidArgumentError} */
function optionsIn(items: readonly string[]): ReadonlyMap<string, string | null> {
  const criteria = new Map<string, string | null>();
  for (const item of items) {
    const [, key = item, description] = KEY_AND_DESCRIPTION.exec(item) ?? [];
    const name = asWritten(key);
    if (name === "") throw new InvalidArgumentError("An option has no name in front of its =.");
    if (criteria.has(name)) throw new InvalidArgumentError(`The option ${JSON.stringify(name)} appears twice.`);
    criteria.set(name, description === undefined ? null : asWritten(description));
  }
  checkCount(criteria.size, MAX_OPTIONS, "options");
  return criteria;
}

export function noulFrom(text: string): NoulQuestion {
  if (text.trim() === "") throw new InvalidArgumentError('It must be a question, such as "Is something damaged?".');
  return { type: "noul", instructions: text };
}

export function scoreFrom(text: string): ScoreQuestion {
  const { instructions = DEFAULT_RATE, items } = readList(text);
  checkCount(items.length, MAX_LEVELS, "levels");
  return { type: "score", instructions, criteria: items.map(asWritten) };
}

interface QuestionFlag<Q extends Question> {
  readonly name: string;
  readonly value: string;
  readonly does: string;
  readonly read: (text: string) => Q;
}

const QUESTION_FLAGS: { readonly [Q in Question as Q["type"]]: QuestionFlag<Q> } = {
  choice: { name: "choose", value: "<options>", does: 'pick one of 2 to 255 options: "a, b, c"', read: choiceFrom },
  noul: { name: "ask", value: "<question>", does: "answer yes or no", read: noulFrom },
  score: { name: "rate", value: "<levels>", does: 'rate it on a scale of 2 to 10 levels: "low, high"', read: scoreFrom },
};

export type AskedQuestion = readonly [flag: string, question: Question];

/** Questions by id, in the order asked. Ids are `choose`, `ask`, `choose_2`: asking one more question renames none of the others. */
export function withIds(asked: readonly AskedQuestion[]): { [id: string]: Question } {
  const count = new Map<string, number>();
  return Object.fromEntries(
    asked.map(([flag, question]) => {
      const nth = (count.get(flag) ?? 0) + 1;
      count.set(flag, nth);
      return [nth === 1 ? flag : `${flag}_${nth}`, question];
    }),
  );
}

function readList(text: string): { instructions?: string; items: string[] } {
  const [, question, list = text] = QUESTION_IN_FRONT.exec(text) ?? [];
  const items = listIn(list);
  return question === undefined ? { items } : { instructions: asWritten(question.replace(/:$/u, "")), items };
}

const listIn = (text: string): string[] => Array.from(text.matchAll(BETWEEN_COMMAS), ([item]) => item.trim()).filter((item) => item !== "");

/** The check of a request would name a place in it, and a person who types flags has not seen the request. */
function checkCount(count: number, max: number, what: string): void {
  if (count < 2) throw new InvalidArgumentError(`Separate at least 2 ${what} with commas.`);
  if (count > max) throw new InvalidArgumentError(`It may hold at most ${max} ${what}, but holds ${count}.`);
}

function asWritten(text: string): string {
  return text.replace(/\\(.)/gsu, "$1").trim();
}
