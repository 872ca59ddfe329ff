import { createProviderRegistry, customProvider, experimental_decide, NoSuchModelError } from "ai";
import { decide } from "umpire";
import { createUmpire, umpire } from "umpire/ai";
import { afterEach, describe, expect, it } from "vitest";
import { decideError, rejection } from "../support/rejection.ts";
import { ASKED, TEXTS } from "../support/texts.ts";

const call = { state: TEXTS.late, questions: { late: { type: "boolean", instructions: ASKED.late } } } as const;

describe("the provider", () => {
  afterEach(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
  });

  it("returns models when called, and by method", () => {
    expect(umpire("umpire-2")).toMatchObject({ specificationVersion: "v4", provider: "umpire", modelId: "umpire-2" });
    expect(umpire.decisionModel("latest").modelId).toBe("latest");
    expect(umpire().modelId).toBe("default");
    expect(umpire().supportedQuestionTypes).toEqual(["choice", "score", "boolean"]);
  });

  it("answers from a registry, under an alias, and as the default provider", async () => {
    const registry = createProviderRegistry({
      umpire,
      mine: customProvider({ decisionModels: { triage: umpire() }, fallbackProvider: umpire }),
    });
    globalThis.AI_SDK_DEFAULT_PROVIDER = umpire;
    const models = ["umpire:latest", "mine:triage", "mine:umpire-2"] as const;
    const results = [
      await experimental_decide({ ...call, model: "latest" }),
      ...(await Promise.all(models.map((id) => experimental_decide({ ...call, model: registry.decisionModel(id) })))),
    ];
    const [first] = results;
    for (const { answers, response } of results) {
      expect(answers).toEqual(first?.answers);
      expect(response.modelId).toBe("umpire-2");
    }
  });

  it("refuses a misspelt option", async () => {
    const error = await decideError(() => createUmpire({ decidr: decide } as unknown as Parameters<typeof createUmpire>[0]));
    expect(error).toMatchObject({
      code: "invalid_request",
      message: "The options are not valid: decidr is unknown (did you mean decider?).",
    });
  });

  it("has no other kinds of models", async () => {
    const registry = createProviderRegistry({ umpire });
    const kinds = {
      languageModel: () => registry.languageModel("umpire:latest"),
      embeddingModel: () => registry.embeddingModel("umpire:latest"),
      imageModel: () => registry.imageModel("umpire:latest"),
      rerankingModel: () => registry.rerankingModel("umpire:latest"),
    };
    for (const [modelType, ask] of Object.entries(kinds)) {
      const error = await rejection(ask);
      expect(NoSuchModelError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ modelType });
    }
  });
});
