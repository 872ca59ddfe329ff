import type { Answer, DecideRequest, DecideResponse } from "umpire";
import { existsSync } from "node:fs";
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

async function goldenOf(pack: string): Promise<Golden> {
  return JSON.parse(await readFile(new URL(`test/golden/${pack}.json`, PACKAGE_ROOT), "utf8")) as Golden;
}

export const golden = await goldenOf("umpire-2");

/** The base model's pack, whose golden vectors are beside those of `umpire-2`. Neither is there before the pack was released. */
export const BASE_URL = new URL("models/umpire-3-base/", PACKAGE_ROOT);
export const hasBase = existsSync(new URL("manifest.json", BASE_URL));

/** So many short golden requests of the base model, which takes several times as long for each: every so-manieth of those with few options. */
export async function shortOfBase(most: number): Promise<{ readonly madeWith: Golden["madeWith"]; readonly cases: readonly GoldenCase[] }> {
  const { madeWith, cases } = await goldenOf("umpire-3-base");
  const isShort = ({ stateTokens, answers }: GoldenCase): boolean =>
    stateTokens < 100 && Object.values(answers).every(({ probabilities }) => probabilities.length <= 20);
  const short = cases.filter(isShort);
  return { madeWith, cases: short.filter((_, i) => i % Math.ceil(short.length / most) === 0) };
}

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
