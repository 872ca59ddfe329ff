import { readFile } from "node:fs/promises";
import type { Engine, Precision } from "../../library/engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { counted, elementAt } from "../../library/validation/expect.ts";
import type { Asked } from "./golden-questions.ts";

/** A pack's file of questions whose scores are known. */
export const GOLDENS = "goldens.json";

type TestedPrecision = Exclude<Precision, "fp16">;

/** A question, and what the model said when it was added, in each of its precisions. */
export interface Golden extends Asked {
  readonly scores: { readonly [P in TestedPrecision]?: readonly number[] };
}

/** Four digits tell apart what is different, and are what people can read. */
const DIGITS = 4;

/**
 * What a model says of a question: a score for each option.
 * @throws {DecideError} `input_too_long`, `backend_failed`
 * @throws `signal.reason`
 */
export async function scoresOf(engine: Engine, { type, state, instructions, options }: Asked, signal?: AbortSignal): Promise<number[]> {
  const texts = options.map((text) => ({ text, sent: [], answer: null }));
  const { questions } = await engine.score({ state, questions: [{ type, instructions, options: texts }] }, signal);
  const { scores } = elementAt(counted(questions, 1, "scored questions"), 0, "scored question");
  return Array.from(scores, (score) => Number(score.toFixed(DIGITS)));
}

/** As `scoresOf`, for each question that is not too long for the model; undefined for those that are. */
export async function allScoresOf(engine: Engine, asked: readonly Asked[], signal?: AbortSignal): Promise<(number[] | undefined)[]> {
  const scores: (number[] | undefined)[] = [];
  for (const one of asked) scores.push(await scoresOf(engine, one, signal).catch(undefinedIfTooLong));
  return scores;
}

function undefinedIfTooLong(error: unknown): undefined {
  if (DecideError.isInstance(error) && error.code === "input_too_long") return undefined;
  throw error;
}

/** The goldens of a pack whose files have been checked; none if it has no such file. @param path of the file */
export async function readGoldens(path: string): Promise<readonly Golden[]> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) as { readonly questions: readonly Golden[] }).questions;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
