import { likeliest } from "./likeliest.ts";
import type { ParsedQuestion } from "./request.ts";
import type { Answer, ChoiceAnswer, ScoreAnswer } from "./types.ts";

/** A question's probabilities, in the order of its criteria, as the answer that the caller gets. Nothing is rounded. */
export function toAnswer(question: ParsedQuestion, probabilities: Float64Array): Answer {
  switch (question.type) {
    case "choice":
      return toChoice(question, probabilities);
    case "noul":
      return { type: "noul", noul: probabilities[0] ?? 0 };
    case "score":
      return toScore(question, probabilities);
  }
}

function toChoice({ criteria }: ParsedQuestion, probabilities: Float64Array): ChoiceAnswer {
  const n = probabilities.length;
  const best = likeliest(probabilities);
  const confidence = Math.max(0, ((probabilities[best] ?? 0) - 1 / n) / (1 - 1 / n));
  const key = criteria[best]?.key ?? "";
  return { type: "choice", choice: key, confidence, probabilities: byKey(criteria, (i) => probabilities[i] ?? 0) };
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
    legend: byKey(criteria, (i) => criteria[i]?.given ?? null),
    probabilities: byKey(criteria, (i) => probabilities[i] ?? 0),
    confidence,
  };
}

/** Object.fromEntries defines its keys, so that one named `__proto__` is a key like any other. */
function byKey<V>(criteria: ParsedQuestion["criteria"], value: (index: number) => V): Record<string, V> {
  return Object.fromEntries(criteria.map(({ key }, i) => [key, value(i)]));
}
