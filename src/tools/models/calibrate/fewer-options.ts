import { elementAt } from "../../../library/validation/expect.ts";
import type { Scored } from "./scored.ts";

/** A choice is asked again with a number of options from each of these ranges. */
const FEWER = [
  [2, 2],
  [3, 5],
  [6, 10],
  [11, 30],
] as const;

/** A choice among fewer of its options, so that no number of options rests on a few questions. Scores are taken to stay. They
 * do in the built-in family, nearly in `pair`; in `gliclass`, where options see each other, that is an approximation.
 */
export function* withFewerOptions(one: Scored, random: () => number): Generator<Scored, void, void> {
  const { scores, answer } = one;
  const wrong = [...scores.keys()].filter((index) => index !== answer);
  for (const [least, most] of FEWER) {
    const count = least + Math.floor(random() * (most - least + 1));
    if (count >= scores.length) continue;
    const kept = [answer, ...sampled(wrong, count - 1, random)].sort((a, b) => a - b);
    yield { ...one, scores: Float32Array.from(kept, (index) => elementAt(scores, index, "score")), answer: kept.indexOf(answer) };
  }
}

/** The first steps of a shuffle (Fisher and Yates). */
function sampled(items: readonly number[], count: number, random: () => number): number[] {
  const rest = [...items];
  return Array.from({ length: count }, () => {
    const [item] = rest.splice(Math.floor(random() * rest.length), 1);
    return item ?? 0;
  });
}
