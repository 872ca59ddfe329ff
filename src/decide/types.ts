/** What goes in and what comes out. Field names on the wire are those of the hosted decision API. */

/** A value that JSON can hold. Numbers are finite. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A text, or an object or array that is rendered as readable text with its keys in order. */
export type Text = string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The description of an option or a level; null: its key is read. */
export type Description = Text | null;

/** Picks one of 2 to 255 options. */
export interface ChoiceQuestion {
  readonly type: "choice";
  readonly instructions: Text;
  /** Option keys, each with its description. */
  readonly criteria: { readonly [option: string]: Description };
}

/** Yes or no. Needs instructions, criteria or both. */
export interface NoulQuestion {
  readonly type: "noul";
  readonly instructions?: Text | null | undefined;
  /** When the answer is yes (`true`) and when it is no (`false`): both, or one of them. */
  readonly criteria?:
    | { readonly true: Description; readonly false?: Description }
    | { readonly true?: Description; readonly false: Description }
    | null
    | undefined;
}

/** Places the state on a scale of 2 to 10 levels, described from low to high. */
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
  /** What is to be judged. */
  readonly state: Text;
  /** One question or more, each under an id of the caller's own, which the model never sees. */
  readonly questions: Q;
}

export interface DecideOptions {
  /** Ends this call, queued or running: it rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Input tokens that the request may have, 1 or more; beyond it `input_too_long`. Default: no limit but the model's own. */
  readonly maxInputTokens?: number | undefined;
}

export interface ChoiceAnswer<Key extends string = string> {
  readonly type: "choice";
  /** The likeliest option; the first of them on a tie. */
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
