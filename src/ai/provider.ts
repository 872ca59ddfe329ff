import { NoSuchModelError } from "@ai-sdk/provider";
import type { Experimental_DecisionModelV4 as DecisionModelV4, ProviderV4 } from "@ai-sdk/provider";
import { decide } from "umpire";
import type { Decider } from "../decider/decider.ts";
import { UmpireDecisionModel } from "./decision-model.ts";

/** An id of the catalogue, or `latest`. */
export type UmpireModelId = "latest" | (string & {});

export interface UmpireProviderOptions {
  /** What answers. The provider never closes it. Default: the decider that all calls of `decide()` share. */
  readonly decider?: Pick<Decider, "decide"> | undefined;
}

/** A provider of decision models, and of no others. */
export interface UmpireProvider extends ProviderV4 {
  /** The same as `decisionModel`. */
  (modelId?: UmpireModelId): DecisionModelV4;
  /**
   * The decision model with this id. Loads nothing; an id that is none fails when the model is asked. Default: the decider's own model, which is the
   * newest one unless the decider was made with another.
   */
  decisionModel(modelId?: UmpireModelId): DecisionModelV4;
}

/** A provider whose models are answered by a decider of your own: `createUmpire({ decider: createDecider({ threads: 1 }) })`. */
export function createUmpire({ decider = { decide } }: UmpireProviderOptions = {}): UmpireProvider {
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
