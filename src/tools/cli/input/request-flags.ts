import { existsSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { MAX_LEVELS } from "../../../library/decide/questions/score.ts";
import { MAX_OPTIONS } from "../../../library/decide/questions/choice.ts";
import type { ChoiceQuestion, NoulQuestion, Question, ScoreQuestion } from "../../../library/decide/types.ts";
import { badInput } from "../../tool-error.ts";
import type { Io } from "../io.ts";
import { clip, oneLine } from "../output/terminal-text.ts";
import { refuseFlags } from "./flags.ts";
import { readRequest, readState } from "./read-input.ts";
import type { RequestInput } from "./read-input.ts";

export interface RequestFlags {
  readonly state?: string;
}

/** An argument that is no file may be a long text. */
const MAX_NAME_CELLS = 100;

/** Adds --state, --choose, --ask and --rate. @returns the questions asked so far, in order */
export function addRequestFlags(command: Command): readonly AskedQuestion[] {
  const asked: AskedQuestion[] = [];
  command.option("-s, --state <text>", 'the text to judge; @file reads it from a file, "-" from standard input');
  for (const { name, value, does, read } of Object.values(QUESTION_FLAGS))
    command.option(`--${name} ${value}`, does, (text: string) => void asked.push([name, read(text)]));
  refuseFlags(command, [["text", "--state"]]);
  return asked;
}

/** Requests from files or standard input, or the one that was typed. @throws {ToolError} */
export async function inputsFrom(
  io: Io,
  command: string,
  files: readonly string[],
  state: string | undefined,
  asked: readonly AskedQuestion[],
): Promise<[RequestInput, ...RequestInput[]]> {
  const isPiped = io.stdin.isTTY !== true;
  const [first, ...more] = files;
  if (first !== undefined) {
    if (state === undefined) files.forEach(checkExists);
    if (asked.length > 0 || state !== undefined)
      throw badInput("Give a request file or --state with questions, not both: a file has its own state and questions.");
    return Promise.all([readRequest(io, first), ...more.map((file) => readRequest(io, file))]);
  }
  if (asked.length > 0) {
    if (state === undefined && !isPiped) throw badInput("There is nothing to judge. Give the text with --state, or pipe it in.");
    const value = { state: await readState(io, state ?? "-"), questions: withIds(asked) };
    return [{ source: "The request", title: "", value, isTyped: true }];
  }
  if (state !== undefined) throw badInput("There is no question. Ask with --choose, --ask or --rate.");
  if (!isPiped)
    throw badInput(
      `There is nothing to ${command}. Give a request file, or --state with a question; "umpire ${command} --help" shows how.`,
    );
  return [await readRequest(io, "-")];
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
  const criteria = new Map<string, string | null>();
  for (const item of items) {
    const [, key = item, description] = KEY_AND_DESCRIPTION.exec(item) ?? [];
    const name = asWritten(key);
    if (name === "") throw new InvalidArgumentError("An option has no name in front of its =.");
    if (criteria.has(name)) throw new InvalidArgumentError(`The option ${JSON.stringify(name)} appears twice.`);
    criteria.set(name, description === undefined ? null : asWritten(description));
  }
  checkCount(criteria.size, MAX_OPTIONS, "options");
  return { type: "choice", instructions, criteria: Object.fromEntries(criteria) };
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

type AskedQuestion = readonly [flag: string, question: Question];

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
  const items = Array.from(list.matchAll(BETWEEN_COMMAS), ([item]) => item.trim()).filter((item) => item !== "");
  return question === undefined ? { items } : { instructions: asWritten(question.replace(/:$/u, "")), items };
}

/** The check of a request would name a place in it, and a person who types flags has not seen the request. */
function checkCount(count: number, max: number, what: string): void {
  if (count < 2) throw new InvalidArgumentError(`Separate at least 2 ${what} with commas.`);
  if (count > max) throw new InvalidArgumentError(`It may hold at most ${max} ${what}, but holds ${count}.`);
}

function asWritten(text: string): string {
  return text.replace(/\\(.)/gsu, "$1").trim();
}
