import type { Mistake, Text } from "./json.ts";

/** The description of an option. null: the key itself is read. */
export type Description = Text | null;

/** Picks one of 2 to 255 options. Example: `{ type: "choice", instructions: "Which team?", criteria: { billing: "invoices, refunds", sales: null } }`. */
export interface ChoiceQuestion {
  /** `"choice"`: one of several options. Others: `"noul"`, yes or no; `"score"`, a place on a scale. */
  readonly type: "choice";
  /** What to decide, as text. Example: `"Which team should answer?"`. */
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
  /** What to rate, as text. Example: `"How upset is the customer?"`. */
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
