import type { Labelled, QuestionType, Scored } from "./scored.ts";
import type { Scorer } from "../../../library/decide/decide.ts";
import { toBatch } from "../../../library/decide/decide.ts";
import { parseRequest } from "../../../library/decide/request.ts";
import type { ParsedRequest } from "../../../library/decide/request.ts";
import { DecideError } from "../../../errors.ts";
import { counted } from "../../../library/validation/expect.ts";
import type { Case } from "../../eval/case.ts";

/** A request, and the right answers to its questions, in their order. */
export interface LabelledRequest {
  readonly request: ParsedRequest;
  readonly labels: readonly Labelled[];
}

export function labelledRequests(cases: readonly Case[]): LabelledRequest[] {
  const texts = new Map<string, number>();
  return cases.map(({ state, questions, truths }) => {
    const request = parseRequest({ state, questions });
    const text = texts.get(request.state) ?? texts.size;
    texts.set(request.state, text);
    const labels = request.questions.map(({ id, type, criteria }) => {
      const right = keyOf(type, truths[id] ?? "");
      return { type, answer: criteria.findIndex(({ key }) => key === right), text };
    });
    return { request, labels };
  });
}

/** The criterion's key of a case's right answer. */
function keyOf(type: QuestionType, truth: string): string {
  if (type !== "noul") return truth;
  return truth === "yes" ? "true" : "false";
}

/** Every question with its scores, but for those that are too long. */
export interface Scores {
  readonly scored: readonly Scored[];
  readonly tooLong: number;
}

/**
 * Scores all questions, one request after another.
 * @param onRequest called after each request with the number of requests done
 * @throws what the engine throws, but for `input_too_long`
 */
export async function readScores(
  scorer: Scorer,
  requests: readonly LabelledRequest[],
  onRequest: (done: number) => void,
): Promise<Scores> {
  const scored: Scored[] = [];
  let tooLong = 0;
  for (const [i, { request, labels }] of requests.entries()) {
    const all = await scoresOf(scorer, request);
    for (const [q, label] of labels.entries()) {
      const scores = all[q];
      if (scores === undefined) tooLong++;
      else scored.push({ ...label, scores });
    }
    onRequest(i + 1);
  }
  return { scored, tooLong };
}

/** The scores of each question; undefined for one that is too long. */
async function scoresOf(scorer: Scorer, request: ParsedRequest): Promise<readonly (Float32Array | undefined)[]> {
  try {
    const { scores } = await scorer.score(toBatch(request));
    return counted(scores.questions, request.questions.length, "scored questions").map((question) => question.scores);
  } catch (error) {
    if (!DecideError.isInstance(error) || error.code !== "input_too_long") throw error;
    if (request.questions.length === 1) return [undefined];
    // One of its questions may be too long, and the others may not.
    const each: (Float32Array | undefined)[] = [];
    for (const question of request.questions) each.push(...(await scoresOf(scorer, { ...request, questions: [question] })));
    return each;
  }
}
