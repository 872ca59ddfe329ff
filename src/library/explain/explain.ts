import { plainQuestion } from "../decide/question.ts";
import { parseRequest } from "../decide/request.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import type { Answer } from "../decide/types.ts";
import { DecideError } from "../../errors.ts";
import { checkCallOptions } from "../validation/call-options.ts";
import { elementAt, present } from "../validation/expect.ts";
import { Field } from "../validation/field.ts";
import { isNear, isPlain } from "../validation/nearest.ts";
import { refuseName } from "../validation/refuse-name.ts";
import { AN_ABORT_SIGNAL, wholeNumber } from "../validation/rules.ts";
import type { RulesOf } from "../validation/rules.ts";
import { likeliestKey, logOddsOf } from "./log-odds.ts";
import { passagesOf } from "./passages.ts";
import type { Decide, ExplainOptions, Explanation } from "./types.ts";

const DEFAULT_PASSAGES = 32;

const RULES: RulesOf<ExplainOptions> = { signal: AN_ABORT_SIGNAL, maxPassages: wholeNumber(1, 1000) };

/** @throws {DecideError} `invalid_request` naming every invalid option. */
function readExplainOptions(options: ExplainOptions): { readonly signal: AbortSignal | undefined; readonly maxPassages: number } {
  checkCallOptions(options, RULES);
  const { signal, maxPassages = DEFAULT_PASSAGES } = options;
  return { signal, maxPassages };
}

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
  const { signal, maxPassages } = readExplainOptions(options);
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
