/** What goes in and what comes out. Field names on the wire are those of the hosted decision API. */

/** A value that JSON can hold. Numbers are finite. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A text; or an object or array, which is read as `key: value` and `- item` lines, in its own order. */
export type Text = string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The description of an option or a level. null: the key itself is read. */
export type Description = Text | null;

/** Picks one of 2 to 255 options. Example: `{ type: "choice", instructions: "Which team?", criteria: { billing: "invoices, refunds", sales: null } }`. */
export interface ChoiceQuestion {
  readonly type: "choice";
  readonly instructions: Text;
  /** Option keys, each with its description. */
  readonly criteria: { readonly [option: string]: Description };
}

/**
 * A yes/no question; "noul" is the API's word for one that is answered with the probability of yes. It needs instructions, criteria or both.
 * Example: `{ type: "noul", instructions: "Is the customer angry?" }`.
 */
export interface NoulQuestion {
  readonly type: "noul";
  readonly instructions?: Text | null | undefined;
  /** When the answer is yes (`true`) and when it is no (`false`): one of them, or both. */
  readonly criteria?:
    | { readonly true: Description; readonly false?: Description }
    | { readonly true?: Description; readonly false: Description }
    | null
    | undefined;
}

/** Places the state on a scale of 2 to 10 levels, described from low to high. Example: `{ type: "score", instructions: "How urgent?", criteria: ["low", "high"] }`. */
export interface ScoreQuestion {
  readonly type: "score";
  readonly instructions: Text;
  readonly criteria: readonly [Description, Description, ...Description[]];
}

export type Question = ChoiceQuestion | NoulQuestion | ScoreQuestion;

export interface Questions {
  readonly [id: string]: Question;
}

export interface DecideRequest<Q extends Questions = Questions> {
  /** A catalogue id, or `latest` (also `jev-latest`). Default: the decider's model. */
  readonly model?: string | undefined;
  /** What the questions are about. */
  readonly state: Text;
  /** One or more questions, by ids that you choose. The model never sees the ids. */
  readonly questions: Q;
}

export interface DecideOptions {
  /** Ends this call, whether it waits or runs: it rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** How many input tokens the request may have, 1 or more; a longer one is refused with `input_too_long`. Default: only the model's own limits. */
  readonly maxInputTokens?: number | undefined;
}

export interface ChoiceAnswer<Key extends string = string> {
  readonly type: "choice";
  /** The likeliest option; on a tie, the first of them. */
  readonly choice: Key;
  /** (m - 1/n) / (1 - 1/n) for the largest probability m of n: 0 at even odds, 1 at certainty. */
  readonly confidence: number;
  /** A probability for every option, in the order of the criteria; they sum to 1. */
  readonly probabilities: { readonly [K in Key]: number };
}

export interface NoulAnswer {
  readonly type: "noul";
  /** Probability of yes, 0 to 1. */
  readonly noul: number;
}

export interface ScoreAnswer<Level extends string = string, Legend = { readonly [L in Level]: Description }> {
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
