import {
  APICallError,
  UnsupportedFunctionalityError,
  Experimental_DecisionUnsupportedQuestionTypeError as UnsupportedQuestionTypeError,
  type Experimental_DecisionModelV4 as DecisionModelV4,
  type Experimental_DecisionModelV4Answer as SdkAnswer,
  type Experimental_DecisionModelV4CallOptions as CallOptions,
  type Experimental_DecisionModelV4Question as SdkQuestion,
  type Experimental_DecisionModelV4Result as Result,
  type Experimental_DecisionModelV4State as SdkState,
  type SharedV4Warning,
  type SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { DecideError, type ActReason, type StateWarning } from "umpire";
import { renderText } from "../library/decide/questions/question-kind.ts";
import type { Answer, DecideResponse, Question, Questions, Text } from "../library/decide/types.ts";
import type { Decider } from "../library/decider/decider.ts";
import type { Issue } from "../errors.ts";
import { Field } from "../library/validation/field.ts";

/** A type of question in the AI SDK. */
interface SdkKind<A extends Answer = Answer> {
  readonly sdkType: "choice" | "score" | "boolean";
  /** Its types allow some questions that our rules do not, for example a choice without instructions; `decide()` refuses those. */
  toQuestion(question: SdkQuestion): Question;
  toAnswer(answer: A): SdkAnswer;
}

const SDK_KINDS: { readonly [T in Answer["type"]]: SdkKind<Extract<Answer, { type: T }>> } = {
  choice: {
    sdkType: "choice",
    toQuestion: (question) => question as Question,
    toAnswer: ({ choice, probabilities }) => ({ type: "choice", choice, probabilities }),
  },
  score: {
    sdkType: "score",
    toQuestion: (question) => question as Question,
    toAnswer: ({ score, probabilities }) => ({ type: "score", score, probabilities }),
  },
  noul: {
    sdkType: "boolean",
    toQuestion: (question) => {
      const { criteria } = question as Extract<SdkQuestion, { type: "boolean" }>;
      // In the AI SDK, empty criteria mean the same as no criteria. In our requests they are an error.
      return { ...question, type: "noul", criteria: Object.keys(criteria ?? {}).length === 0 ? null : criteria } as Question;
    },
    toAnswer: ({ noul }) => ({ type: "boolean", probability: noul }),
  },
};

const ALL_KINDS: readonly SdkKind[] = Object.values(SDK_KINDS);

export class UmpireDecisionModel implements DecisionModelV4 {
  readonly specificationVersion = "v4";
  readonly provider = "umpire";
  /** `default` if no model was named. */
  readonly modelId: string;
  readonly supportedQuestionTypes = ALL_KINDS.map(({ sdkType }) => sdkType);
  readonly #decider: Pick<Decider, "decide">;
  readonly #model: string | undefined;

  constructor(decider: Pick<Decider, "decide">, model: string | undefined) {
    this.#decider = decider;
    this.#model = model;
    this.modelId = model ?? "default";
  }

  /**
   * @throws {APICallError} for any DecideError, which is its cause.
   * @throws {Experimental_DecisionUnsupportedQuestionTypeError} for a question that is not a choice, score or boolean.
   * @throws {UnsupportedFunctionalityError} for a state with a file.
   * @throws `abortSignal.reason` if the signal is aborted.
   */
  async doDecide(options: CallOptions): Promise<Result> {
    const questions = toQuestions(options.questions, this);
    try {
      const request = { model: this.#model, state: toState(options.state), questions };
      const maxErrorRate = options.providerOptions?.["umpire"]?.["maxErrorRate"] as number | undefined;
      const response = await this.#decider.decide(request, { signal: options.abortSignal, maxErrorRate });
      return toResult(response, warningsOf(options));
    } catch (error) {
      throw DecideError.isInstance(error) ? toApiCallError(error, this.modelId) : error;
    }
  }
}

/** @throws {Experimental_DecisionUnsupportedQuestionTypeError} for a question that is not a choice, score or boolean. */
function toQuestions(
  questions: Readonly<Record<string, SdkQuestion>>,
  { provider, modelId }: Pick<DecisionModelV4, "provider" | "modelId">,
): Questions {
  // Unlike an assignment, fromEntries makes `__proto__` an ordinary key.
  return Object.fromEntries(
    Object.entries(questions).map(([questionId, question]) => {
      const kind = ALL_KINDS.find(({ sdkType }) => sdkType === question.type);
      if (kind === undefined) throw new UnsupportedQuestionTypeError({ questionId, questionType: question.type, provider, modelId });
      return [questionId, kind.toQuestion(question)];
    }),
  );
}

/** The SDK's answers have no fields for confidence, legend, accuracy, lesson, act and warnings, so these go into the metadata, by question id. */
function toResult({ model, answers, usage }: DecideResponse, warnings: Result["warnings"]): Result {
  const toAnswer = (answer: Answer): SdkAnswer => (SDK_KINDS[answer.type] as SdkKind).toAnswer(answer);
  return {
    answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, toAnswer(answer)])),
    usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    warnings,
    providerMetadata: { umpire: { ...toMetadata(answers) } },
    response: { modelId: model },
  };
}

/**
 * Makes the AI SDK's error of a failed call; the SDK retries the call if `isRetryable` is true. `data` has `code`, `issues` and `issuesLeftOut`. `requestBodyValues` has the
 * model's id only, because errors never contain the caller's text.
 */
function toApiCallError(cause: DecideError, modelId: string): APICallError {
  const { message, code, status, retryable, issues, issuesLeftOut, retryAfterSeconds } = cause;
  return new APICallError({
    message,
    url: "umpire:decide",
    requestBodyValues: { model: modelId },
    statusCode: status,
    isRetryable: retryable,
    data: { code, issues, issuesLeftOut },
    cause,
    ...(retryAfterSeconds !== undefined && { responseHeaders: { "retry-after": String(retryAfterSeconds) } }),
  });
}

/**
 * The text of a state's parts, joined by line breaks. Each part is read as `decide()` reads a state.
 * @throws {UnsupportedFunctionalityError} for a part that is neither text nor JSON.
 * @throws {DecideError} `invalid_request` for a value that is not JSON, or nested too deep.
 */
function toState(parts: SdkState): string {
  const issues: Issue[] = [];
  const texts = parts.map((part, i) => {
    if (part.type === "text") return part.text;
    if (part.type === "json") return renderText(new Field(part.value, ["body", "state", i], issues));
    throw new UnsupportedFunctionalityError({
      functionality: `${part.type} parts in the state`,
      message: `Umpire reads text and JSON, but part ${i} of the state is of type ${part.type}.`,
    });
  });
  const [first] = issues;
  if (first !== undefined) throw new DecideError("invalid_request", `The state is not valid: a JSON part ${first.msg}.`, { issues });
  return texts.join("\n");
}

/** One warning for each setting of the call that has no effect. */
function warningsOf({ maxOutputTokens, reasoning, headers = {}, providerOptions = {} }: CallOptions): SharedV4Warning[] {
  const ignored = (feature: string, details: string): SharedV4Warning => ({ type: "unsupported", feature, details });
  const warnings: SharedV4Warning[] = [];
  if (maxOutputTokens !== undefined) warnings.push(ignored("maxOutputTokens", "Umpire generates no text."));
  if (reasoning !== undefined && reasoning !== "none" && reasoning !== "provider-default") {
    warnings.push(ignored("reasoning", "Umpire does not reason."));
  }
  // The AI SDK itself sends a user agent with every call.
  if (Object.keys(headers).some((name) => name.toLowerCase() !== "user-agent")) {
    warnings.push(ignored("headers", "Umpire answers on this machine and sends no headers."));
  }
  const others = Object.keys(providerOptions["umpire"] ?? {}).filter((option) => option !== "maxErrorRate");
  return [
    ...warnings,
    ...others.map((option) => ignored(`providerOptions.umpire.${option}`, "Umpire's only option per call is maxErrorRate.")),
  ];
}

type SdkAnswers = Readonly<Record<string, SdkAnswer>>;

/** Ids of the questions whose answers may be of one of these types. */
type IdsOf<Answers, Type extends SdkAnswer["type"]> = {
  [Id in keyof Answers]: Extract<Answers[Id], { type: Type }> extends never ? never : Id;
}[keyof Answers];

/** Umpire's own fields of its answers, for which the AI SDK has none, by question id. `umpireMetadata()` reads it. */
export interface UmpireMetadata<Answers = SdkAnswers> {
  /** How sure the answers to choices and scores are, 0 to 1: 0 if all options are equally likely, 1 if one is certain. */
  readonly confidence: { readonly [Id in IdsOf<Answers, "choice" | "score">]: number };
  /** The levels of scores: a description by number, from "0". */
  readonly legend: { readonly [Id in IdsOf<Answers, "score">]: { readonly [level: string]: Text } };
  /** How often answers like each were right on questions held out of training, 0 to 1. Nothing where the model states no curve, or with a warning. */
  readonly accuracy: { readonly [Id in keyof Answers]?: number };
  /** The id of the lesson that answered. Nothing where none did. */
  readonly lesson: { readonly [Id in keyof Answers]?: string };
  /**
   * With `providerOptions: { umpire: { maxErrorRate } }`: whether to act on the answer, so that no larger share of such answers is wrong. Nothing without.
   */
  readonly act: { readonly [Id in keyof Answers]?: boolean };
  /** Why not, where `act` is false. Nothing where it is true. */
  readonly actReason: { readonly [Id in keyof Answers]?: ActReason };
  /** Why an answer may be worth less than it says. Nothing where there is no reason. */
  readonly warnings: { readonly [Id in keyof Answers]?: readonly StateWarning[] };
}

function toMetadata(answers: Readonly<Record<string, Answer>>): UmpireMetadata {
  const entries = Object.entries(answers);
  return {
    confidence: Object.fromEntries(entries.flatMap(([id, answer]) => ("confidence" in answer ? [[id, answer.confidence]] : []))),
    legend: Object.fromEntries(entries.flatMap(([id, answer]) => ("legend" in answer ? [[id, answer.legend]] : []))),
    accuracy: Object.fromEntries(entries.flatMap(([id, { x_accuracy }]) => (x_accuracy === undefined ? [] : [[id, x_accuracy]]))),
    lesson: Object.fromEntries(entries.flatMap(([id, { x_lesson }]) => (x_lesson === undefined ? [] : [[id, x_lesson]]))),
    act: Object.fromEntries(entries.flatMap(([id, { x_act }]) => (x_act === undefined ? [] : [[id, x_act]]))),
    actReason: Object.fromEntries(entries.flatMap(([id, { x_act_reason }]) => (x_act_reason === undefined ? [] : [[id, x_act_reason]]))),
    warnings: Object.fromEntries(entries.flatMap(([id, { x_warnings }]) => (x_warnings === undefined ? [] : [[id, [...x_warnings]]]))),
  };
}

/**
 * Reads Umpire's metadata, typed by the questions, from a result of `experimental_decide`. Example:
 *
 *     const result = await experimental_decide({ model: umpire("latest"), state, questions });
 *     const { team } = umpireMetadata(result).confidence; // a number
 *
 * @throws {DecideError} `invalid_request` for a result of another provider.
 */
export function umpireMetadata<Answers extends object>({
  providerMetadata,
}: {
  readonly answers: Answers;
  readonly providerMetadata?: SharedV4ProviderMetadata | undefined;
}): UmpireMetadata<Answers> {
  const metadata = providerMetadata?.["umpire"];
  if (metadata !== undefined) return metadata as unknown as UmpireMetadata<Answers>;
  throw new DecideError(
    "invalid_request",
    "The result has no metadata of Umpire: another provider's model answered. Use a model of umpire().",
  );
}
