import type { StateWarning } from "../engine/engine.ts";
import type { JsonOf, State, Text } from "./json.ts";
import type { CheckedQuestions, Questions } from "./questions.ts";

/** What goes in and what comes out. Field names on the wire are those of the hosted decision API. */
export type { JsonOf, JsonValue, State, Text } from "./json.ts";
export type { CheckedQuestions, ChoiceQuestion, Description, NoulQuestion, Question, Questions, ScoreQuestion } from "./questions.ts";

export interface DecideRequest<Q extends Questions = Questions, S extends State = State> {
  /** A catalogue id, or `latest` (also `jev-latest`). Example: `"umpire-2"`. Default: the decider's model. */
  readonly model?: string | undefined;
  /** What the questions are about: a text, or an object or array. Example: `"My card was charged twice."`, or `{ subject: "Card", lines: ["Charged twice."] }`. */
  readonly state: S & JsonOf<S>;
  /**
   * One or more questions, by ids that you choose, of 1 to 16,384 characters. The model never sees the ids.
   * Example: `{ angry: { type: "noul", instructions: "Is the customer angry?" } }`.
   */
  readonly questions: CheckedQuestions<Q>;
}

export interface DecideOptions {
  /** Ends this call, whether it waits or runs: it rejects with `signal.reason`. Example: `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal | undefined;
  /** How many input tokens the request may have, 1 or more; a longer one is refused with `input_too_long`. Default: only the model's own limits. */
  readonly maxInputTokens?: number | undefined;
  /**
   * The share of wrong answers that you accept among those you act on, above 0 and below 1: adds `x_act` to every answer. Default: no `x_act`. Example: 0.05,
   * 5 in 100.
   */
  readonly maxErrorRate?: number | undefined;
}

/** Fields of Umpire's own, which the hosted API does not have. Their names start with `x_`. */
export interface OwnFields {
  /**
   * How often answers like this one were right, 0 to 1: answers of this type, with about this many options and this probability, to questions that were
   * held out of the model's training; of a lesson, to examples that were held out. Absent if the model states no curve, and with `x_warnings`. Example: 0.82, right in 82 of 100.
   */
  readonly x_accuracy?: number;
  /** The id of the lesson that answered; absent if none did. Example: `"lesson-3f9a0c52b1d84e67"`. */
  readonly x_lesson?: string;
  /**
   * Present with `maxErrorRate` alone. true: of held-out answers at least this sure, no larger share was wrong, at 90% confidence. false: a larger share was,
   * there are too few to tell, or there are `x_warnings`, since held-out answers were about texts that the model can read.
   */
  readonly x_act?: boolean;
  /** Why this answer may be worth less than it says; absent if there is no reason. Every answer to a state has the same ones. */
  readonly x_warnings?: readonly StateWarning[];
}

export interface ChoiceAnswer<Key extends string = string> extends OwnFields {
  readonly type: "choice";
  /** The likeliest option; on a tie, the first of them. */
  readonly choice: Key;
  /** (m - 1/n) / (1 - 1/n) for the largest probability m of n: 0 at even odds, 1 at certainty. */
  readonly confidence: number;
  /** A probability for every option, in the order of the criteria; they sum to 1. */
  readonly probabilities: { readonly [K in Key]: number };
}

export interface NoulAnswer extends OwnFields {
  readonly type: "noul";
  /** Probability of yes, 0 to 1. */
  readonly noul: number;
}

export interface ScoreAnswer<Level extends string = string, Legend = { readonly [L in Level]: Text }> extends OwnFields {
  readonly type: "score";
  /** Expected level, 0 to n - 1: the sum of i times its probability. */
  readonly score: number;
  /** The criteria, by level: "0" is the first. */
  readonly legend: Legend;
  /** A probability for every level; they sum to 1. */
  readonly probabilities: { readonly [L in Level]: number };
  /** max(0, 1 - sum of p_i |i - k| / D), k the likeliest level, D the mean distance of a level from the middle. */
  readonly confidence: number;
}

export type Answer = ChoiceAnswer | NoulAnswer | ScoreAnswer;

/** "0" | "1" | ... of a tuple; `string` of an array of unknown length. */
type LevelsOf<C extends readonly unknown[]> = number extends C["length"] ? string : Extract<keyof C, `${number}`>;

type LegendOf<C extends readonly unknown[]> = {
  readonly [L in LevelsOf<C>]: L extends keyof C ? C[L] : C[number];
};

/** The answer to a question, with exactly the question's own keys where they are known to the compiler. */
export type AnswerTo<Q> = Q extends { readonly type: "choice"; readonly criteria: infer C }
  ? ChoiceAnswer<Extract<keyof C, string>>
  : Q extends { readonly type: "noul" }
    ? NoulAnswer
    : Q extends { readonly type: "score"; readonly criteria: infer C extends readonly unknown[] }
      ? ScoreAnswer<LevelsOf<C>, LegendOf<C>>
      : never;

export interface Usage {
  /** Tokens of what the caller sent: state, instructions and criteria, each once, under the model's tokenizer. */
  readonly input_tokens: number;
  /** Tokens of the answers: those of the chosen key for a choice, one for a noul or a score. */
  readonly output_tokens: number;
}

export interface DecideResponse<Q extends Questions = Questions> {
  /** Id of the model that answered; never an alias. */
  readonly model: string;
  readonly answers: { readonly [Id in keyof Q]: AnswerTo<Q[Id]> };
  readonly usage: Usage;
}
