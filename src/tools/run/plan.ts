import type { Questions } from "../../library/decide/types.ts";
import type { Quotes } from "../rows/read-rows.ts";

/** For a row that cannot be answered: end the run, leave the row out, or write what is wrong with it. */
export const ON_ERROR = ["stop", "skip", "report"] as const;
export type OnError = (typeof ON_ERROR)[number];

/** Which part of the rows this run answers: of each `of` blocks one after the other, the one at `index`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * Everything that the bytes of the result depend on, besides the rows themselves. It is the first line of a journal: a run goes on only where another one
 * with the same plan has stopped.
 */
export interface Plan {
  readonly umpire_run: 1;
  readonly version: string;
  readonly questions: Questions;
  readonly model: { readonly id: string; readonly seal: string; readonly device: string; readonly precision: string };
  /** Ids of the lessons, in the order in which they were learned. */
  readonly lessons: readonly string[];
  readonly maxErrorRate: number | null;
  /** A column, or a template over columns. */
  readonly state: string;
  /** The column of ids, which errors name; null: there is none. */
  readonly id: string | null;
  /** The columns of the input that a table of the results has, in order. */
  readonly columns: readonly string[];
  /** Names that no copied column may have, besides that of the error. */
  readonly taken: readonly string[];
  /** How a table is read; null: as its first line shows, and quotes as they seem. */
  readonly reading: { readonly delimiter: string | null; readonly quotes: Quotes | null };
  /** Whether rows are copied with whatever they have besides their state: rows of JSON may have other columns than the first. */
  readonly copiesAll: boolean;
  /** Which rows of the input there are for this run; null: all. */
  readonly rows: { readonly limit: number | null; readonly sample: number | null; readonly seed: number };
  readonly onError: OnError;
  /** Rows in a block: what is synced at a time. */
  readonly block: number;
  readonly shard: Shard | null;
}

/** Fields of a plan, and what a difference means to a person. */
const IN_WORDS: { readonly [Name in keyof Plan]: string } = {
  umpire_run: "another version of umpire",
  version: "another version of umpire",
  questions: "other questions",
  model: "another model, device or precision",
  lessons: "other lessons",
  maxErrorRate: "another --max-error-rate",
  state: "another --text-column",
  id: "another --id-column",
  columns: "other columns",
  taken: "another form of the results",
  reading: "another --delimiter or --quotes",
  copiesAll: "another --copy",
  rows: "another --limit, --sample or --seed",
  onError: "another --on-error",
  block: "another --block",
  shard: "another --shard",
};

/** Differences of two plans, in words; none if they are the same. @param but fields that may differ */
export function differences(one: Plan, other: Plan, but: readonly (keyof Plan)[] = []): string[] {
  const names = (Object.keys(IN_WORDS) as (keyof Plan)[]).filter((name) => !but.includes(name));
  return [...new Set(names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])).map((name) => IN_WORDS[name]))];
}

/** Whether a shard answers a block. Blocks go round: so each shard has rows from all over the input. */
export function answersBlock({ shard }: Pick<Plan, "shard">, block: number): boolean {
  return shard === null || block % shard.of === shard.index - 1;
}
