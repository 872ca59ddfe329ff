import type { OnError, Shard } from "../../run/plan.ts";
import { BadInput } from "../bad-input.ts";
import type { LessonFlags } from "../input/lesson-flags.ts";
import type { ModelFlags } from "../input/model-flags.ts";
import type { OutputFlags } from "../output/screen.ts";

export interface RunFlags extends ModelFlags, LessonFlags, OutputFlags {
  readonly out?: string;
  readonly state?: string;
  readonly copy?: readonly string[];
  readonly workers?: number;
  readonly onError: OnError;
  readonly limit?: number;
  /** Above 0, below 1. */
  readonly sample?: number;
  readonly seed: number;
  readonly dryRun?: true;
  readonly quiet?: true;
  readonly restart?: true;
  readonly shard?: Shard;
  readonly merge?: readonly string[];
  /** Rows in a block. */
  readonly block: number;
  /** URL of a Redis, whose workers answer the rows. */
  readonly queue?: string;
  /** Rows in a block, by the name that it has on a queue. */
  readonly chunk?: number;
  readonly allowVolatileQueue?: true;
}

/** What stands for standard output in place of a file. */
export const STANDARD_OUTPUT = "-";

/** The file with the questions and the one with the rows. @throws {BadInput} */
export function twoFiles(files: readonly string[]): readonly [questions: string, rows: string] {
  const [questions, rows, ...others] = files;
  if (questions === undefined || rows === undefined)
    throw new BadInput('Give a file with the questions and one with the rows; "umpire run --help" shows how.');
  if (others.length > 0) throw new BadInput("There are more than two files. Give one with the questions and one with the rows.");
  if (questions === "-") throw new BadInput("The questions must be in a file: standard input is for the rows.");
  return [questions, rows];
}

/** @throws {BadInput} */
export function outOf({ out, shard }: Pick<RunFlags, "out" | "shard">): string {
  if (out === undefined)
    throw new BadInput("Say where the answers go: --out answers.jsonl, .csv or .parquet, or --out - for standard output.");
  if (shard !== undefined && !out.endsWith(".jsonl"))
    throw new BadInput(`A shard's answers are lines of JSON: name ${out} with .jsonl. --merge then writes any form.`);
  return out;
}
