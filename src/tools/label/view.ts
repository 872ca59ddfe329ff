import { answersNeeded } from "../../library/statistics/curves.ts";
import type { ParsedQuestion } from "../../library/decide/request.ts";
import type { Question } from "../../library/decide/types.ts";
import { ANSWER_KINDS } from "../rows/answers.ts";
import { DecideError } from "../../errors.ts";
import { ToolError } from "../tool-error.ts";
import type { Round } from "./choose.ts";
import type { NoAnswer } from "./files.ts";

/** Everything that a person is shown. Plain JSON. */
export interface LabelView {
  /** Another number after each change, within one process. */
  readonly revision: number;
  readonly question: { readonly type: Question["type"]; readonly instructions: string; readonly options: readonly LabelOption[] };
  /** The keys for all that is no option. */
  readonly keys: typeof KEYS & { readonly none: string };
  /** `reading`: no row can be asked about yet. `done`: nothing more is asked, unless somebody goes on. `failed`: see `problem`. */
  readonly state: "reading" | "asking" | "done" | "failed";
  readonly current?: { readonly row: number; readonly place: string; readonly text: string } | undefined;
  /** The row that was answered last, which can be taken back. */
  readonly last?: { readonly row: number } | undefined;
  readonly counts: Counts;
  /** By key of the options. */
  readonly byAnswer: { readonly [key: string]: number };
  readonly maxErrorRate: number;
  /** After each time of teaching. */
  readonly rounds: readonly Round[];
  readonly worth: string;
  /** Why nothing more is asked, in sentences. */
  readonly reason?: string | undefined;
  /** The failure, in sentences: all, or only that the lesson could not be made or written. */
  readonly problem?: string | undefined;
  /** The files that are written. */
  readonly out: string;
  readonly lesson: string;
  /** The kind of the lesson in that file; absent: it was not written. */
  readonly learned?: Round["learned"] | undefined;
}

/** Rows by what became of them. */
interface Counts {
  readonly answered: number;
  readonly noneOfThese: number;
  readonly skipped: number;
  /** Those that may be asked about, and how many of them the model has read. */
  readonly rows: number;
  readonly read: number;
  readonly leftOut: number;
}

export interface LabelOption {
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  /** The key to press, if there are enough. */
  readonly press?: string | undefined;
}

export const KEYS = { skip: "s", undo: "u", end: "e", goOn: "g" } as const;
const LETTERS = Array.from("abcdfghijklmnopqrtvwxyz");
const DIGITS = Array.from("123456789");

/** Yes and no have their letters, levels their numbers, and options digits and then letters, as far as these go. */
export function optionsOf(question: Question, { criteria }: ParsedQuestion): LabelOption[] {
  const names = ANSWER_KINDS[question.type].options(question);
  const presses = question.type === "noul" ? ["y", "n"] : question.type === "score" ? names.map(([key]) => key) : [...DIGITS, ...LETTERS];
  return names.map(([key, name], i) => {
    // The name of a level says it, unless it is an object, which has only a number for a name.
    const isSaid = question.type === "score" && name !== key;
    const description = isSaid ? undefined : criteria.find((one) => one.key === key)?.description;
    return { key, name, ...(description && { description }), press: presses[i] };
  });
}

/** The answer that a person typed, by a key or by an option's name; undefined: none. */
export function meantBy(typed: string, { question: { options }, keys }: LabelView): { readonly key: string } | NoAnswer | undefined {
  const pressed = typed.toLowerCase();
  const option = options.find(({ press }) => press === pressed);
  if (option !== undefined) return { key: option.key };
  if (pressed === keys.skip) return "skipped";
  if (pressed === keys.none) return "none of these";
  const named = options.find(({ key, name }) => key === typed || name === typed);
  return named && { key: named.key };
}

/** For example `5 wrong in 100`. */
function wrongText(maxErrorRate: number): string {
  return `${Number((100 * maxErrorRate).toPrecision(3))} wrong in 100`;
}

/** The worth of the answers, in words. @param rows how many are left */
export function worthOf(rounds: readonly Round[], answered: number, rows: number, maxErrorRate: number): string {
  const last = rounds.at(-1);
  if (rows === 0) return `${answered} answered; none is left.`;
  if (last === undefined) return `${answered} answered. It is taught after every 8.`;
  if (last.share > 0)
    return `${last.answered} answered; ${Math.floor(100 * last.share + 1e-9)} in 100 of the rest can be acted on with at most ${wrongText(maxErrorRate)}.`;
  return `${last.answered} answered; nothing can be acted on yet with at most ${wrongText(maxErrorRate)}. To promise that takes ${answersNeeded(maxErrorRate)} sure answers at least, all of them right.`;
}

/** The message of an error, if it is meant for people. */
export function messageOf(error: unknown): string {
  return error instanceof ToolError || DecideError.isInstance(error) ? error.message : `Something unexpected failed: ${String(error)}`;
}
