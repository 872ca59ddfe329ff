import type { Decide } from "../decide/decide.ts";
import { sharesOf } from "../decide/questions/question-kinds.ts";
import { parseRequest, plainQuestion } from "../decide/request.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import type { Answer } from "../decide/types.ts";
import { DecideError } from "../../errors.ts";
import { AN_ABORT_SIGNAL, checkCallOptions, Field, isNear, isPlain, refuseName, wholeNumber } from "../validation/field.ts";
import type { RulesOf } from "../validation/field.ts";
import { elementAt, present } from "../validation/expect.ts";
import { passagesOf } from "./passages.ts";

export interface ExplainOptions {
  /** Ends the call: it rejects with `signal.reason`. Example: `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal | undefined;
  /** How many passages the state is divided into at most, 1 to 1,000. Each is one more reading of the state. Default: 32. */
  readonly maxPassages?: number | undefined;
}

/** A sentence or a line of the state; of a long state, several. */
export interface Passage {
  /** Where it begins in `text`, in UTF-16 code units, as for `text.slice(start, end)`. */
  readonly start: number;
  /** Where it ends; the white space after it is part of it. */
  readonly end: number;
  /**
   * `logOdds` minus the log-odds of the same answer with this passage left out. Above 0: the passage speaks for the answer; below 0: against it. Example:
   * 0.69, ln 2: with the passage the odds are twice as high.
   */
  readonly change: number;
}

/** Why a question was answered as it was. */
export interface Explanation {
  /** The answer, as `decide` gives it. */
  readonly answer: Answer;
  /** The part of the answer that is explained: of a choice the chosen option; of a noul "true" from 0.5 on, else "false"; of a score the likeliest level, "0" to "n-1". */
  readonly key: string;
  /** ln(p / (1 - p)) for the probability p of `key`, with the whole state read; -27.7 to 27.7. */
  readonly logOdds: number;
  /** The state as the model reads it: a string as it was given, an object or array as text. */
  readonly text: string;
  /** Together they are all of `text`, none overlaps another. The largest change comes first; on a tie, the earlier passage. Empty if the state is. */
  readonly passages: readonly Passage[];
  /** How often the state was read: once as a whole, and once without each passage. */
  readonly readings: number;
}

const DEFAULT_PASSAGES = 32;

const RULES: RulesOf<ExplainOptions> = { signal: AN_ABORT_SIGNAL, maxPassages: wholeNumber(1, 1000) };

/** Readings under way at one time: while the model works on one, the next is prepared. */
const MAX_UNDER_WAY = 2;
const MAX_IDS_SHOWN = 8;

/**
 * Says which passages of the state made the answer to one question: how much the answer's log-odds change with each of them left out. (Occlusion: Zeiler and
 * Fergus 2014, "Visualizing and Understanding Convolutional Networks"; of text: Li, Monroe and Jurafsky 2016, "Understanding Neural Networks through
 * Representation Erasure".) Passages are sentences and lines. A state with more than `maxPassages` of them is divided into so many groups of about equal
 * length. The cost: the state is read once, and once more for each passage; no other question is asked.
 * @param questionId the question of the request that is explained
 * @throws {DecideError} `invalid_request`; what `decide` throws.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function explain(decide: Decide, request: unknown, questionId: string, options: ExplainOptions = {}): Promise<Explanation> {
  checkCallOptions(options, RULES);
  const { signal, maxPassages = DEFAULT_PASSAGES } = options;
  signal?.throwIfAborted();
  const { model, state: text, questions } = parseRequest(request);
  const question = questionCalled(questionId, questions);
  // Whatever becomes of the caller's object, all readings ask the same.
  const asked = { [question.id]: plainQuestion(question) };
  const read = async (state: string): Promise<Answer> => {
    signal?.throwIfAborted();
    const { answers } = await decide({ model, state, questions: asked }, { signal });
    return present(answers[question.id], "answer");
  };

  const answer = await read(text);
  const key = likeliestKey(answer);
  const logOdds = logOddsOf(answer, key);
  // Only now: a text that is too long for the model has been refused.
  const ranges = passagesOf(text, maxPassages);
  const without = await mapped(ranges, async ({ start, end }) => logOddsOf(await read(text.slice(0, start) + text.slice(end)), key));
  const passages = ranges.map((range, i) => ({ ...range, change: logOdds - elementAt(without, i, "log-odds") }));
  return { answer, key, logOdds, text, passages: passages.sort((a, b) => b.change - a.change), readings: 1 + ranges.length };
}

/** @throws {DecideError} `invalid_request`, naming the questions there are. */
function questionCalled(id: unknown, questions: readonly ParsedQuestion[]): ParsedQuestion {
  const question = questions.find((asked) => asked.id === id);
  if (question !== undefined) return question;
  // Other ids may be a person's words.
  const shown = questions.map((asked) => asked.id).filter(isPlain);
  const some = shown.slice(0, MAX_IDS_SHOWN).map((other) => `"${other}"`);
  const words = `the id of a question of the request${some.length > 0 ? `, such as ${some.join(", ")}` : ""}`;
  const field = new Field(id, ["questionId"]);
  if (typeof id !== "string") field.refuseType(words);
  else
    refuseName(
      field,
      words,
      shown.find((other) => isNear(id, other)),
    );
  throw new DecideError("invalid_request", `questionId ${elementAt(field.issues, 0, "issue").msg}.`, { issues: field.issues });
}

/** The results of a task for each item, in order, a few at a time. After the first failure none is begun any more. */
async function mapped<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let isFailed = false;
  const work = async (): Promise<void> => {
    for (const [i, item] of waiting) {
      if (isFailed) return;
      try {
        results[i] = await task(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_UNDER_WAY }, work));
  return results;
}

/** Smaller probabilities count as this one, so that log-odds are finite. */
const LEAST = 1e-12;

/** The likeliest part of an answer, by its key: of a noul "true" or "false". On a tie, the first. */
export function likeliestKey(answer: Answer): string {
  return Object.entries(sharesOf(answer)).reduce((best, share) => (share[1] > best[1] ? share : best))[0];
}

/** ln(p / (1 - p)) for the probability p of a key. */
export function logOddsOf(answer: Answer, key: string): number {
  const shares = Object.entries(sharesOf(answer));
  // The sum of the others is exact where p is nearly 1. It is taken in ascending order, so that the order of the criteria cannot change a bit of it.
  const others = shares
    .filter(([other]) => other !== key)
    .map(([, share]) => share)
    .sort((a, b) => a - b)
    .reduce((a, b) => a + b, 0);
  const own = shares.find(([other]) => other === key)?.[1] ?? 0;
  return Math.log(Math.max(own, LEAST)) - Math.log(Math.max(others, LEAST));
}
