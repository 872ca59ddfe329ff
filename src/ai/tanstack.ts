import type { EvaluateAdapter, TokenUsage, WireAnswer } from "@tanstack/ai";
import { DecideError, decide } from "umpire";
import type { DecideOptions, DecideRequest, ExtensionFields } from "../library/decide/types.ts";
import { A_DECIDER, checkCallOptions } from "../library/validation/field.ts";
import type { UmpireModelId, UmpireProviderOptions } from "./options.ts";

/** Options of one call. What `maxErrorRate` adds to the answers, `umpireFields()` reads. */
export type UmpireModelOptions = Omit<DecideOptions, "signal">;

/**
 * An adapter for TanStack AI's `decide()` that answers on this machine. Use: `await decide({ adapter: umpireDecider("latest"), state, questions })`.
 * A call that fails throws the DecideError, an aborted one the signal's reason.
 * @param modelId an unknown id fails when the model is first used. Default: the decider's own model
 * @throws {DecideError} `invalid_request` for invalid options
 */
export function umpireDecider(
  modelId?: UmpireModelId,
  options: UmpireProviderOptions = {},
): EvaluateAdapter<UmpireModelId, UmpireModelOptions> {
  checkCallOptions<UmpireProviderOptions>(options, { decider: A_DECIDER });
  const { decider = { decide } } = options;
  const name = "umpire";
  const model = modelId ?? "default";
  return {
    kind: "evaluate",
    name,
    model,
    "~types": { providerOptions: {} },
    async evaluate({ state, questions, modelOptions, abortSignal, logger }) {
      logger.request(`activity=evaluate provider=${name}`, { provider: name, model });
      const request = { model: modelId, state, questions } as DecideRequest;
      const response = await decider.decide(request, { ...modelOptions, signal: abortSignal });
      const { input_tokens: promptTokens, output_tokens: completionTokens } = response.usage;
      return {
        model: response.model,
        answers: response.answers as unknown as Record<string, WireAnswer>,
        // TanStack AI copies the fields of answers that it knows. This is its only place for others.
        usage: {
          promptTokens,
          completionTokens,
          totalTokens: promptTokens + completionTokens,
          providerUsageDetails: { [name]: fieldsOf(response.answers) },
        },
      };
    },
  };
}

function fieldsOf(answers: object): { readonly [id: string]: ExtensionFields } {
  const own = (answer: object): ExtensionFields => Object.fromEntries(Object.entries(answer).filter(([field]) => field.startsWith("x_")));
  return Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, own(answer as object)]));
}

/**
 * Umpire's own fields, such as `x_accuracy`, `x_act` and `x_warnings`, by question id, from a result of TanStack AI's `decide()`.
 * @throws {DecideError} `invalid_request` for a result of another adapter
 */
export function umpireFields<Result extends { readonly meta: { readonly usage: TokenUsage } }>(
  result: Result,
): { readonly [Id in Exclude<keyof Result, "meta">]: ExtensionFields } {
  const fields = result.meta.usage.providerUsageDetails?.["umpire"];
  if (fields !== undefined) return fields as { readonly [Id in Exclude<keyof Result, "meta">]: ExtensionFields };
  throw new DecideError("invalid_request", "The result has no fields of Umpire: another adapter answered. Use umpireDecider().");
}
