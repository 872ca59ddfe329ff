import type { ParsedQuestion } from "../decide/request.ts";
import type { Answer, DecideOptions, DecideRequest, DecideResponse, Question } from "../decide/types.ts";
import { TEXTS } from "./texts.ts";

/** Answers requests, as `Decider.decide` does. */
export type Decide = (request: DecideRequest, options?: DecideOptions) => Promise<DecideResponse>;

/** One question, asked about text after text. */
export class Readings {
  readonly #decide: Decide;
  readonly #question: Question;
  readonly #keys: readonly string[];
  readonly #signal: AbortSignal | undefined;

  constructor(decide: Decide, question: Question, { criteria }: ParsedQuestion, signal: AbortSignal | undefined) {
    this.#decide = decide;
    this.#question = question;
    this.#keys = criteria.map(({ key }) => key);
    this.#signal = signal;
  }

  /** The logarithms of the criteria's probabilities for a state, in their order. Ends by the signal, as every decision does. */
  async of(state: string): Promise<number[]> {
    const { answers } = await this.#decide({ state, questions: { question: this.#question } }, { signal: this.#signal });
    const probabilities = probabilitiesOf((answers as { readonly question: Answer }).question);
    // A probability may be 0 in floating point. Below this floor nobody cares how small it is.
    return this.#keys.map((key) => Math.log(Math.max(probabilities[key] ?? 0, 1e-4)));
  }

  /** The same for all built-in texts. */
  ofTexts(): Promise<number[][]> {
    return this.ofAll(TEXTS);
  }

  async ofAll(states: readonly string[]): Promise<number[][]> {
    const all: number[][] = [];
    for (const state of states) all.push(await this.of(state));
    return all;
  }
}

function probabilitiesOf(answer: Answer): { readonly [key: string]: number } {
  return answer.type === "noul" ? { true: answer.noul, false: 1 - answer.noul } : answer.probabilities;
}
