import type {
  Experimental_DecisionModelV4 as DecisionModelV4,
  Experimental_DecisionModelV4CallOptions as CallOptions,
  Experimental_DecisionModelV4Result as Result,
} from "@ai-sdk/provider";
import { DecideError } from "umpire";
import type { Decider } from "../decider/decider.ts";
import { toApiCallError } from "./api-call-error.ts";
import { toQuestions } from "./questions.ts";
import { toResult } from "./result.ts";
import { toState } from "./state.ts";
import { warningsOf } from "./warnings.ts";

export class UmpireDecisionModel implements DecisionModelV4 {
  readonly specificationVersion = "v4";
  readonly provider = "umpire";
  /** `default` if no model was named. */
  readonly modelId: string;
  readonly supportedQuestionTypes = ["choice", "score", "boolean"] as const;
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
