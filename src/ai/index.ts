import { NoSuchModelError, type Experimental_DecisionModelV4 as DecisionModelV4, type ProviderV4 } from "@ai-sdk/provider";
import { decide } from "umpire";
import { A_DECIDER, checkCallOptions } from "../library/validation/field.ts";
import { UmpireDecisionModel } from "./decision-model.ts";
import type { UmpireModelId, UmpireProviderOptions } from "./options.ts";

export { umpireMetadata } from "./decision-model.ts";
export type { UmpireMetadata } from "./decision-model.ts";
export type { UmpireModelId, UmpireProviderOptions } from "./options.ts";

/** A provider with decision models only. */
export interface UmpireProvider extends ProviderV4 {
  /** The same as `decisionModel`. */
  (modelId?: UmpireModelId): DecisionModelV4;
  /**
   * The decision model with this id. Loads nothing: an unknown id fails when the model is first used. Default: the decider's own model, which is the newest
   * one unless the decider was created with another.
   */
  decisionModel(modelId?: UmpireModelId): DecisionModelV4;
}

/**
 * Makes a provider that uses your own decider: `createUmpire({ decider: createDecider({ threads: 1 }) })`.
 * @throws {DecideError} `invalid_request` for invalid options
 */
export function createUmpire(options: UmpireProviderOptions = {}): UmpireProvider {
  checkCallOptions<UmpireProviderOptions>(options, { decider: A_DECIDER });
  const { decider = { decide } } = options;
  const decisionModel = (modelId?: UmpireModelId): DecisionModelV4 => new UmpireDecisionModel(decider, modelId);
  const refuse = (modelType: NoSuchModelError["modelType"]) => (modelId: string) => {
    throw new NoSuchModelError({ modelId, modelType });
  };
  return Object.assign(decisionModel, {
    specificationVersion: "v4" as const,
    decisionModel,
    languageModel: refuse("languageModel"),
    embeddingModel: refuse("embeddingModel"),
    imageModel: refuse("imageModel"),
  });
}

/** Umpire for the AI SDK. It shares its decider with `decide()`. Use: `experimental_decide({ model: umpire("latest"), state, questions })`. */
export const umpire = createUmpire();
