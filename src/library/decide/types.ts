import type { StateWarning } from "../engine/engine.ts";

/** Requests and responses. Field names on the wire are those of the hosted decision API. */

/** A value that JSON can hold. Numbers are finite. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A text; or an object or array, which is read as `key: value` and `- item` lines, in its own order. */
export type Text = string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Nothing has this type, and the compiler's error shows the message. */
interface Mistake<Message extends string> {
  readonly mistake: Message;
}

/** An object, of an interface's type, too. Not a function, nor what says of itself that it is no plain object, such as a Date, a Map or a Promise. */
type PlainObject = object & {
  readonly [Symbol.hasInstance]?: never;
  readonly [Symbol.toPrimitive]?: never;
  readonly [Symbol.toStringTag]?: never;
};

/** A text; or an object or array, which is read as `key: value` and `- item` lines, in its own order. */
export type State = string | readonly unknown[] | PlainObject | { readonly [key: string]: unknown };

/**
 * A state's own type, with a mistake in place of what JSON cannot hold. (An interface has no index signature, so it cannot be compared with `JsonValue`.)
 * Unknown values are only checked when the program runs.
 */
export type JsonOf<T> = State extends T
  ? unknown
  : T extends JsonValue | undefined
    ? T
    : T extends bigint | symbol | ((...given: never) => unknown) | (abstract new (...given: never) => unknown)
      ? Mistake<"JSON cannot hold this value">
      : { readonly [K in keyof T]: JsonOf<T[K]> };

/** The description of an option. null: the key itself is read. */
export type Description = Text | null;

/** Picks one of 2 to 255 options. Example: `{ type: "choice", instructions: "Which team?", criteria: { billing: "invoices, refunds", sales: null } }`. */
export interface ChoiceQuestion {
  /** `"choice"`: one of several options. Others: `"noul"`, yes or no; `"score"`, a place on a scale. */
  readonly type: "choice";
  /** The decision to make, as text. Example: `"Which team should answer?"`. */
  readonly instructions: Text;
  /** The options, 2 to 255: a key of 1 to 16,384 characters for each, with a description or null. Example: `{ billing: "invoices, refunds", sales: null }`. */
  readonly criteria: { readonly [option: string]: Description };
}

/**
 * A yes/no question; "noul" is the API's word for one that is answered with the probability of yes. It needs instructions, criteria or both.
 * Example: `{ type: "noul", instructions: "Is the customer angry?" }`.
 */
export interface NoulQuestion {
  /** `"noul"`: yes or no. Others: `"choice"`, one of several options; `"score"`, a place on a scale. */
  readonly type: "noul";
  /** The question, as text. Example: `"Is the customer angry?"`. Default: none, the criteria say it all. */
  readonly instructions?: Text | null | undefined;
  /** When the answer is yes (`true`) and when it is no (`false`): one of them, or both. Example: `{ true: "asks for money back" }`. */
  readonly criteria?:
    | { readonly true: Description; readonly false?: Description }
    | { readonly true?: Description; readonly false: Description }
    | null
    | undefined;
}

/** Places the state on a scale of 2 to 10 levels, described from low to high. Example: `{ type: "score", instructions: "How urgent?", criteria: ["low", "high"] }`. */
export interface ScoreQuestion {
  /** `"score"`: a place on a scale. Others: `"choice"`, one of several options; `"noul"`, yes or no. */
  readonly type: "score";
  /** The quality to rate, as text. Example: `"How upset is the customer?"`. */
  readonly instructions: Text;
  /** The levels, 2 to 10, from low to high. Example: `["calm", "annoyed", "furious"]`. */
  readonly criteria: readonly Text[];
}

export type Question = ChoiceQuestion | NoulQuestion | ScoreQuestion;

export interface Questions {
  readonly [id: string]: Question;
}

/**
 * Questions with a mistake in place of what their own type alone shows to be wrong: a field that no question has, a choice or a score without two options or levels. Use it in a
 * function of your own that passes questions on: `<const Q extends Questions>(questions: CheckedQuestions<Q>) => decide<Q>({ state, questions })`.
 */
export type CheckedQuestions<Q> = Q &
  ([keyof Q] extends [never] ? Mistake<"ask one question or more"> : { readonly [Id in keyof Q]: CheckedQuestion<Q[Id]> });

type CheckedQuestion<Q> = Q extends { readonly type: "choice"; readonly criteria: infer Options }
  ? { readonly [Field in keyof Q]: Field extends "criteria" ? CheckedOptions<Options> : KnownField<Q, Field, ChoiceQuestion> }
  : Q extends { readonly type: "noul" }
    ? Extract<keyof Q, "instructions" | "criteria"> extends never
      ? Mistake<"a noul has instructions, criteria or both">
      : { readonly [Field in keyof Q]: KnownField<Q, Field, NoulQuestion> }
    : Q extends { readonly type: "score"; readonly criteria: infer Levels }
      ? { readonly [Field in keyof Q]: Field extends "criteria" ? CheckedLevels<Levels> : KnownField<Q, Field, ScoreQuestion> }
      : Q;

type KnownField<Q, Field extends keyof Q, Known> = Field extends keyof Known
  ? Q[Field]
  : Mistake<"a question has type, instructions and criteria">;

type CheckedOptions<Options> = Options extends unknown
  ? string extends keyof Options
    ? Options
    : AreTwo<keyof Options> extends true
      ? Options
      : Mistake<"a choice has two options or more">
  : never;

/** Levels whose number the compiler does not know are counted when the program runs. */
type CheckedLevels<Levels> = Levels extends readonly [] | readonly [unknown] ? Mistake<"a score has 2 to 10 levels"> : Levels;

/** Whether a union of keys has more than one. */
type AreTwo<Keys, All = Keys> = [All] extends [never] ? false : Keys extends unknown ? ([All] extends [Keys] ? false : true) : never;

export interface DecideRequest<Q extends Questions = Questions, S extends State = State> {
  /** A catalogue id, or `latest` (also `jev-latest`). Example: `"umpire-2"`. Default: the decider's model. */
  readonly model?: string | undefined;
  /** The subject of the questions: a text, or an object or array. Example: `"My card was charged twice."`, or `{ subject: "Card", lines: ["Charged twice."] }`. */
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
  /** Whether `usage` has `x_cached_tokens`, the tokens of a state that was still read from an earlier call. Default: false. */
  readonly countCached?: boolean | undefined;
}

/**
 * Why not to act on an answer. `not_sure`: this one is not sure enough. `no_threshold`: nothing promises that rate for such a question, however sure an answer is;
 * teach or calibrate it with answers of your own. `warning`: the answer has `x_warnings`.
 */
export type ActReason = "not_sure" | "no_threshold" | "warning";

/** Fields of Umpire's own, which the hosted API does not have. Their names start with `x_`. */
export interface ExtensionFields {
  /**
   * How often answers like this one were right, 0 to 1: answers of this type, with about this many options and this probability, to questions that were
   * held out of the model's training; of a lesson, to examples that were held out. Absent if the model states no curve, and with `x_warnings`. Example: 0.82, right in 82 of 100.
   */
  readonly x_accuracy?: number;
  /** The id of the lesson that answered; absent if none did. Example: `"lesson-3f9a0c52b1d84e67"`. */
  readonly x_lesson?: string;
  /**
   * Present with `maxErrorRate` alone: whether to act on the answer, a promise about this question. With a lesson: of your own held-out answers at least this sure, no
   * larger share was wrong, at 90% confidence. Without one: of the questions that were held out of the model's training, at least 90 in 100 kept that rate.
   */
  readonly x_act?: boolean;
  /** Why `x_act` is false; absent where it is true. */
  readonly x_act_reason?: ActReason;
  /** Why this answer may be worth less than it says; absent if there is no reason. Every answer to a state has the same ones. */
  readonly x_warnings?: readonly StateWarning[];
}

export interface ChoiceAnswer<Key extends string = string> extends ExtensionFields {
  readonly type: "choice";
  /** The likeliest option; on a tie, the first of them. */
  readonly choice: Key;
  /** (m - 1/n) / (1 - 1/n) for the largest probability m of n: 0 at even odds, 1 at certainty. */
  readonly confidence: number;
  /** A probability for every option, in the order of the criteria; they sum to 1. */
  readonly probabilities: { readonly [K in Key]: number };
}

export interface NoulAnswer extends ExtensionFields {
  readonly type: "noul";
  /** Probability of yes, 0 to 1. */
  readonly noul: number;
}

export interface ScoreAnswer<Level extends string = string, Legend = { readonly [L in Level]: Text }> extends ExtensionFields {
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
  /** Tokens of the state that needed no reading, because it was still read; part of `input_tokens`. Present if `countCached` asked for it. */
  readonly x_cached_tokens?: number;
}

export interface DecideResponse<Q extends Questions = Questions> {
  /** Id of the model that answered; never an alias. */
  readonly model: string;
  readonly answers: { readonly [Id in keyof Q]: AnswerTo<Q[Id]> };
  readonly usage: Usage;
}
