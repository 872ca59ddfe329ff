import type { Answer } from "../decide/types.ts";

/** Smaller probabilities count as this one, so that log-odds are finite. */
const LEAST = 1e-12;

/** The likeliest part of an answer, by its key: of a noul "true" or "false". On a tie, the first. */
export function likeliestKey(answer: Answer): string {
  return sharesOf(answer).reduce((best, share) => (share[1] > best[1] ? share : best))[0];
}

/** ln(p / (1 - p)) for the probability p of a key. */
export function logOddsOf(answer: Answer, key: string): number {
  const shares = sharesOf(answer);
  // The sum of the others is exact where p is nearly 1. It is taken in ascending order, so that the order of the criteria cannot change a bit of it.
  const others = shares
    .filter(([other]) => other !== key)
    .map(([, share]) => share)
    .sort((a, b) => a - b)
    .reduce((a, b) => a + b, 0);
  const own = shares.find(([other]) => other === key)?.[1] ?? 0;
  return Math.log(Math.max(own, LEAST)) - Math.log(Math.max(others, LEAST));
}

function sharesOf(answer: Answer): [string, number][] {
  if (answer.type !== "noul") return Object.entries(answer.probabilities);
  return [
    ["true", answer.noul],
    ["false", 1 - answer.noul],
  ];
}
