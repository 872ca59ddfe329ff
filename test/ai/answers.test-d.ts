import { createProviderRegistry, experimental_decide } from "ai";
import type { Experimental_DecisionModelV4, ProviderV4 } from "@ai-sdk/provider";
import { createDecider } from "umpire";
import { createUmpire, umpire } from "umpire/ai";
import type { UmpireProvider } from "umpire/ai";
import { describe, expectTypeOf, it } from "vitest";

/** Compiled, never run. */

const read = (..._values: unknown[]): void => undefined;

const questions = {
  route: { type: "choice", instructions: "Which team?", criteria: { billing: null, technical: "things break" } },
  mood: { type: "score", instructions: "How upset?", criteria: ["calm", "furious"] },
  leaving: { type: "boolean", instructions: "Do they leave?" },
} as const;

describe("experimental_decide with umpire", () => {
  it("types each answer by its question", async () => {
    const { answers } = await experimental_decide({ model: umpire("latest"), state: "s", questions });
    expectTypeOf(answers.route.choice).toEqualTypeOf<"billing" | "technical">();
    expectTypeOf(answers.route.probabilities).toEqualTypeOf<Record<"billing" | "technical", number> | undefined>();
    expectTypeOf(answers.mood.score).toEqualTypeOf<number>();
    expectTypeOf(answers.leaving.probability).toEqualTypeOf<number>();
    // @ts-expect-error a boolean has no choice
    read(answers.leaving.choice);
    // @ts-expect-error no such question
    read(answers.nobody);
  });
});

describe("the provider", () => {
  it("is an AI SDK provider whose models are decision models", () => {
    expectTypeOf(umpire).toExtend<ProviderV4>();
    expectTypeOf(umpire()).toEqualTypeOf<Experimental_DecisionModelV4>();
    expectTypeOf(createProviderRegistry({ umpire }).decisionModel("umpire:latest")).toEqualTypeOf<Experimental_DecisionModelV4>();
  });

  it("takes any decider, awaited or not, and nothing else", async () => {
    const decider = createDecider();
    expectTypeOf(createUmpire({ decider })).toEqualTypeOf<UmpireProvider>();
    expectTypeOf(createUmpire({ decider: await decider })).toEqualTypeOf<UmpireProvider>();
    // @ts-expect-error no such option
    createUmpire({ apiKey: "k" });
    // @ts-expect-error a model is named by a string
    umpire(2);
  });
});
