import { createProviderRegistry, experimental_decide } from "ai";
import type { Experimental_DecisionQuestion } from "ai";
import type { Experimental_DecisionModelV4, ProviderV4 } from "@ai-sdk/provider";
import { createDecider } from "umpire";
import type { Text } from "umpire";
import { createUmpire, umpire, umpireMetadata } from "umpire/ai";
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

describe("umpireMetadata", () => {
  it("types confidence and legend by the questions, without a cast", async () => {
    const { confidence, legend } = umpireMetadata(await experimental_decide({ model: umpire("latest"), state: "s", questions }));
    expectTypeOf(confidence).toEqualTypeOf<{ readonly route: number; readonly mood: number }>();
    expectTypeOf(legend).toEqualTypeOf<{ readonly mood: Readonly<Record<string, Text>> }>();
    // @ts-expect-error the probability of a boolean says how sure it is
    read(confidence.leaving);
  });

  it("takes questions that are only known when the program runs", async () => {
    const anyQuestions: Record<string, Experimental_DecisionQuestion> = questions;
    const { confidence } = umpireMetadata(await experimental_decide({ model: umpire("latest"), state: "s", questions: anyQuestions }));
    expectTypeOf(confidence["any"]).toEqualTypeOf<number | undefined>();
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
