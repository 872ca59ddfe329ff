import { plainQuestion } from "../decide/questions/question-kinds.ts";
import { parseRequest, type ParsedRequest } from "../decide/request.ts";
import type { DecideOptions, Questions } from "../decide/types.ts";
import { DecideError } from "../../errors.ts";
import {
  AN_ABORT_SIGNAL,
  checkCallOptions,
  Field,
  filledString,
  isPlainObject,
  numberBetween,
  numberFrom,
  TRUE_OR_FALSE,
  wholeNumber,
  type Rule,
  type RulesOf,
} from "../validation/field.ts";
import type { ManyOptions, ManyStatesOptions } from "./types.ts";

/** A row as it came, checked at once: its owner may use the same object for the next one. */
export interface CheckedRow {
  readonly id?: string | number;
  /** The request, or why there is none. */
  readonly asked: ParsedRequest | DecideError;
}

export function checkRow(value: unknown, { questions, model }: ManySettings): CheckedRow {
  if (questions !== undefined) return { asked: checked({ state: value, questions, model }) };
  if (!isPlainObject(value)) return { asked: checked(value) };
  const field = new Field(value, ["body"]);
  let id: unknown;
  try {
    id = value["id"];
    if (id === undefined || id === null) return { asked: checked(withModel(value, model)) };
  } catch (cause) {
    return { asked: new DecideError("invalid_request", "The row is not valid: its id could not be read.", { cause }) };
  }
  if (typeof id === "string" || typeof id === "number") return { id, asked: checked(withModel(value, model)) };
  field.get("id").refuseType("a string or a number");
  return { asked: new DecideError("invalid_request", `The row is not valid: id ${field.issues[0]?.msg}.`, field) };
}

/** Accessors and what is inherited stay what they are: only a request without a model of its own gets one. */
function withModel(request: Record<string, unknown>, model: string | undefined): unknown {
  return model === undefined || request["model"] !== undefined ? request : { ...request, model };
}

function checked(request: unknown): ParsedRequest | DecideError {
  try {
    return parseRequest(request);
  } catch (error) {
    if (DecideError.isInstance(error)) return error;
    throw error;
  }
}

/** Questions are checked as those of a request. */
const ANY: Rule = { isKept: () => true, words: "questions" };

const RULES: RulesOf<ManyStatesOptions> = {
  signal: AN_ABORT_SIGNAL,
  questions: ANY,
  concurrency: wholeNumber(1, 1000),
  ordered: TRUE_OR_FALSE,
  model: filledString('the id of a model, or "latest"'),
  maxInputTokens: numberFrom(1),
  maxErrorRate: numberBetween(0, 1),
  countCached: TRUE_OR_FALSE,
};

export interface ManySettings extends Pick<ManyOptions, keyof DecideOptions | "model"> {
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
    questions: questions === undefined ? undefined : ownQuestions(parseRequest({ state: "", questions })),
  };
}

/** Questions as they were when they were checked, whatever their owner does to the object meanwhile. */
export function ownQuestions({ questions }: ParsedRequest): Questions {
  return Object.fromEntries(questions.map((question) => [question.id, plainQuestion(question, { asGiven: true })]));
}
