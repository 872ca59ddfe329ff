import { CheckedRequest, plainQuestion } from "../decide/request.ts";
import {
  AN_ABORT_SIGNAL,
  checkCallOptions,
  filledString,
  numberBetween,
  numberFrom,
  TRUE_OR_FALSE,
  wholeNumber,
} from "../validation/field.ts";
import type { Rule, RulesOf } from "../validation/field.ts";
import type { ManyOptions, ManyStatesOptions } from "./types.ts";
import type { Questions } from "../decide/types.ts";

/** Questions are checked as those of a request. */
const ANY: Rule = { isKept: () => true, words: "questions" };

const RULES: RulesOf<ManyStatesOptions> = {
  questions: ANY,
  concurrency: wholeNumber(1, 1000),
  ordered: TRUE_OR_FALSE,
  model: filledString('the id of a model, or "latest"'),
  signal: AN_ABORT_SIGNAL,
  maxInputTokens: numberFrom(1),
  maxErrorRate: numberBetween(0, 1),
};

export interface ManySettings extends Pick<ManyOptions, "signal" | "maxInputTokens" | "maxErrorRate" | "model"> {
  readonly concurrency: number;
  readonly ordered: boolean;
  /** A copy that nobody else can change; undefined if each row has its own. */
  readonly questions: unknown;
}

/**
 * @param workers how many of them answer at the same time
 * @throws {DecideError} `invalid_request` naming every invalid option, or what is wrong with the questions.
 */
export function readManyOptions(options: ManyOptions & { readonly questions?: unknown }, workers: number): ManySettings {
  checkCallOptions(options, RULES);
  const { concurrency = 2 * workers + 1, ordered = true, questions, ...others } = options;
  return {
    ...others,
    concurrency,
    ordered,
    questions: questions === undefined ? undefined : ownQuestions(new CheckedRequest({ state: "", questions })),
  };
}

/** Questions as they were when they were checked, whatever their owner does to the object meanwhile. */
export function ownQuestions({ parsed }: CheckedRequest): Questions {
  return Object.fromEntries(parsed.questions.map((question) => [question.id, plainQuestion(question, { asGiven: true })]));
}
