import { counted, elementAt } from "../validation/expect.ts";
import { likeliest } from "./likeliest.ts";
import type { ParsedQuestion } from "./request.ts";
import type { Answer, ChoiceAnswer, NoulAnswer, ScoreAnswer } from "./types.ts";

/**
 * A question's probabilities as the answer that the caller gets. Nothing is rounded.
 * @param probabilities float64 [criteria], in the order of the criteria
 * @throws {DecideError} `internal` if there are more or fewer probabilities than criteria.
 */
export function toAnswer(question: ParsedQuestion, probabilities: Float64Array): Answer {
  counted(probabilities, question.criteria.length, "probabilities");
  switch (question.type) {
    case "choice":
      return toChoice(question, probabilities);
    case "noul":
      return toNoul(probabilities);
    case "score":
      return toScore(question, probabilities);
  }
}

function toChoice({ criteria }: ParsedQuestion, probabilities: Float64Array): ChoiceAnswer {
  const n = probabilities.length;
  const best = likeliest(probabilities);
  const confidence = Math.max(0, (probabilityAt(probabilities, best) - 1 / n) / (1 - 1 / n));
  const { key } = elementAt(criteria, best, "option");
  return { type: "choice", choice: key, confidence, probabilities: byKey(criteria, (_, i) => probabilityAt(probabilities, i)) };
}

function toNoul(probabilities: Float64Array): NoulAnswer {
  return { type: "noul", noul: probabilityAt(probabilities, 0) };
}

function toScore({ criteria }: ParsedQuestion, probabilities: Float64Array): ScoreAnswer {
  const n = probabilities.length;
  const best = likeliest(probabilities);
  const mean = (of: (p: number, i: number) => number): number => probabilities.reduce((sum, p, i) => sum + of(p, i), 0);
  const score = mean((p, i) => p * i);
  const meanDistance = mean((_, i) => Math.abs(i - (n - 1) / 2)) / n;
  const confidence = Math.max(0, 1 - mean((p, i) => p * Math.abs(i - best)) / meanDistance);
  return {
    type: "score",
    score,
    // A level is never null.
    legend: byKey(criteria, ({ given }) => given ?? ""),
    probabilities: byKey(criteria, (_, i) => probabilityAt(probabilities, i)),
    confidence,
  };
}

function probabilityAt(probabilities: Float64Array, index: number): number {
  return elementAt(probabilities, index, "probability");
}

type Criteria = ParsedQuestion["criteria"];

/** Object.fromEntries defines its keys, so that one named `__proto__` is a key like any other. */
function byKey<V>(criteria: Criteria, value: (criterion: Criteria[number], index: number) => V): Record<string, V> {
  return Object.fromEntries(criteria.map((criterion, i) => [criterion.key, value(criterion, i)]));
}
