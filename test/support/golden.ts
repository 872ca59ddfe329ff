import type { Answer, DecideRequest, DecideResponse } from "umpire";
import { readFile } from "node:fs/promises";
import { PACKAGE_ROOT } from "./package-root.ts";

/**
 * Requests with the answers of the Python reference (fp32), written by models/training/umpire_recipe/golden. The probabilities of a noul
 * (a yes/no question) hold that of yes alone. Those of a choice or a score are in the order of the criteria.
 */
export interface Golden {
  readonly madeWith: Readonly<Record<string, string>>;
  readonly cases: readonly GoldenCase[];
}

export interface GoldenCase {
  readonly name: string;
  readonly request: DecideRequest;
  readonly stateTokens: number;
  /** Present for short states. */
  readonly stateTokenIds?: readonly number[];
  readonly answers: Readonly<Record<string, { readonly probabilities: readonly number[] }>>;
}

export const golden = JSON.parse(await readFile(new URL("test/golden/umpire-2.json", PACKAGE_ROOT), "utf8")) as Golden;

/** Of a golden state that npm test asks about in int8. Longer ones take seconds: test/soak asks about them. */
export const LONGEST_QUICK_TOKENS = 2048;

/** An answer and the reference's answer, with probabilities in the criteria's order. */
export interface Compared {
  readonly place: string;
  readonly found: readonly number[];
  readonly expected: readonly number[];
}

export function probabilitiesOf(answer: Answer | undefined): readonly number[] {
  if (answer === undefined) return [];
  return answer.type === "noul" ? [answer.noul] : Object.values(answer.probabilities);
}

/** Pairs each question's answer with the reference's. */
export function comparedWith({ name, answers: expected }: GoldenCase, { answers }: DecideResponse): Compared[] {
  return Object.entries(expected).map(([id, { probabilities }]) => ({
    place: `${name}: ${id}`,
    found: probabilitiesOf(answers[id]),
    expected: probabilities,
  }));
}

/** The largest difference between probabilities of the two answers. */
export function difference({ found, expected }: Compared): number {
  return found.length === expected.length ? Math.max(...found.map((p, i) => Math.abs(p - (expected[i] ?? NaN)))) : NaN;
}

/** The chosen answers: usually one, or several if they tie within a rounding error. */
export function sameDecision({ found, expected }: Compared): boolean {
  if (expected.length === 1) return (found[0] ?? NaN) > 0.5 === (expected[0] ?? NaN) > 0.5;
  const decided = found.indexOf(Math.max(...found));
  return Math.max(...expected) - (expected[decided] ?? NaN) < 1e-6;
}

export function share(answers: readonly Compared[], of: (answer: Compared) => boolean): number {
  return answers.filter(of).length / answers.length;
}

export function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
