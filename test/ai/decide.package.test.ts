import { experimental_decide } from "ai";
import type { Experimental_DecisionQuestion, Experimental_DecisionState, JSONValue } from "ai";
import fc from "fast-check";
import { createDecider, decide } from "umpire";
import type { Answer, DecideRequest, DecideResponse, JsonValue, State } from "umpire";
import { createUmpire, umpire, umpireMetadata } from "umpire/ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { TEAM, teamLesson } from "../support/lessons.ts";
import { checkWithModel } from "../support/model-property.ts";
import { validRequest } from "../support/random-requests.ts";
import { sharedDecider } from "../support/shared-decider.ts";

const state = "I was charged twice and nobody answers my mails. Refund me or I will leave.";
const route = { type: "choice", instructions: "Which team?", criteria: { billing: "invoices and refunds", technical: null } } as const;
const mood = { type: "score", instructions: "How upset?", criteria: ["calm", { level: "annoyed" }, ["furious"]] } as const;
const leaving = { instructions: "Does the customer threaten to leave?", criteria: { true: "they say so" } } as const;

describe("experimental_decide with umpire", () => {
  it("answers choice, score and boolean with exactly the numbers of decide()", async () => {
    const ours = await decide({ state, questions: { route, mood, leaving: { ...leaving, type: "noul" } } });
    const { route: chosen, mood: scored, leaving: yes } = ours.answers;
    const result = await experimental_decide({
      model: umpire("latest"),
      state,
      questions: { route, mood, leaving: { ...leaving, type: "boolean" } },
    });
    expect(result.answers).toEqual({
      route: { type: "choice", choice: chosen.choice, probabilities: chosen.probabilities },
      mood: { type: "score", score: scored.score, probabilities: scored.probabilities },
      leaving: { type: "boolean", probability: yes.noul },
    });
    expect(result.providerMetadata).toEqual({
      umpire: {
        confidence: { route: chosen.confidence, mood: scored.confidence },
        legend: { mood: { "0": "calm", "1": { level: "annoyed" }, "2": ["furious"] } },
        accuracy: { route: chosen.x_accuracy, mood: scored.x_accuracy, leaving: yes.x_accuracy },
        lesson: {},
        act: {},
        actReason: {},
        warnings: {},
      },
    });
    const metadata = umpireMetadata(result);
    expect([metadata.confidence.route, metadata.confidence.mood]).toEqual([chosen.confidence, scored.confidence]);
    expect(metadata.legend.mood["0"]).toBe("calm");
    const { input_tokens: inputTokens, output_tokens: outputTokens } = ours.usage;
    expect(result.usage).toEqual({ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens });
    expect(result.response).toEqual({ modelId: "umpire-2", timestamp: expect.any(Date) as Date });
    expect(result.warnings).toEqual([]);
  });

  it("gives the same answers as decide() to any request", async () => {
    const property = fc.asyncProperty(validRequest, async (request) => {
      const ours = await decide(request as DecideRequest);
      const { answers } = await experimental_decide(asSdkCall(request as DecideRequest));
      expect(answers).toEqual(answersOf(ours));
    });
    await checkWithModel(property, 12);
  });

  it.each<[what: string, given: Experimental_DecisionState, read: State]>([
    ["an object", { from: "Ann", lines: ["late", "broken"] }, { from: "Ann", lines: ["late", "broken"] }],
    ["a JSON part", [json(["late", "broken"])], ["late", "broken"]],
    ["a JSON part that is a number", [json(5)], "5"],
    ["several parts, as lines", [text("A mail:"), json({ from: "Ann" }), text("It was late.")], "A mail:\nfrom: Ann\nIt was late."],
    ["no parts, as an empty text", [], ""],
  ])("reads a state that is %s", async (_, given, read) => {
    const { answers, usage } = await experimental_decide({ model: umpire(), state: given, questions: { route } });
    const ours = await decide({ state: read, questions: { route } });
    expect(answers.route.probabilities).toEqual(ours.answers.route.probabilities);
    expect(usage.inputTokens).toBe(ours.usage.input_tokens);
  });

  it("accepts names of built-in properties", async () => {
    const named = (json: string): Record<string, never> => JSON.parse(json) as Record<string, never>;
    const questions = named('{"__proto__": {"type": "choice", "instructions": "?", "criteria": {"__proto__": null, "constructor": null}}}');
    const { answers, providerMetadata } = await experimental_decide({ model: umpire(), state, questions });
    expect(Object.keys(answers)).toEqual(["__proto__"]);
    expect(Object.keys(providerMetadata?.["umpire"]?.["confidence"] ?? {})).toEqual(["__proto__"]);
  });

  it("passes the warnings on by question", async () => {
    const { providerMetadata } = await experimental_decide({
      model: umpire(),
      state: "",
      questions: { leaving: { ...leaving, type: "boolean" } },
    });
    expect(providerMetadata?.["umpire"]?.["warnings"]).toEqual({ leaving: ["empty_state"] });
  });

  it("is taught as its decider is, and says whether to act on an answer at the error rate of the call", async () => {
    const decider = sharedDecider;
    const lesson = await teamLesson(decider);
    await decider.learn(lesson);
    onTestFinished(() => void decider.forget(lesson.id));
    const call = {
      model: createUmpire({ decider })(),
      state,
      questions: { team: TEAM, leaving: { ...leaving, type: "boolean" } },
    } as const;
    const { answers, warnings, ...result } = await experimental_decide({ ...call, providerOptions: { umpire: { maxErrorRate: 0.3 } } });
    const ours = await decider.decide({ state, questions: { team: TEAM, leaving: { ...leaving, type: "noul" } } }, { maxErrorRate: 0.3 });
    expect(answers.team.probabilities).toEqual(ours.answers.team.probabilities);
    expect(warnings).toEqual([]);
    const { lesson: lessons, act, actReason } = umpireMetadata({ answers, ...result });
    expect(lessons).toEqual({ team: lesson.id });
    expect(act).toEqual({ team: ours.answers.team.x_act, leaving: false });
    expect(actReason).toMatchObject({ leaving: ours.answers.leaving.x_act_reason });
    expect(umpireMetadata(await experimental_decide(call)).act).toEqual({});
    const refused = experimental_decide({ ...call, providerOptions: { umpire: { maxErrorRate: 5 } } });
    await expect(refused).rejects.toThrow(/maxErrorRate must be a number above 0 and below 1, but is 5/u);
  });

  it("treats empty criteria of a boolean as none", async () => {
    const question = { type: "boolean", instructions: "Is it late?" } as const;
    const questions = { none: question, empty: { ...question, criteria: {} }, null: { ...question, criteria: null } };
    const { none, empty, null: nothing } = (await experimental_decide({ model: umpire(), state, questions })).answers;
    expect(empty).toEqual(none);
    expect(nothing).toEqual(none);
  });

  it("warns about every setting without effect, and only those", async () => {
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const call = { model: umpire(), state, questions: { route } };
    const ignored = {
      maxOutputTokens: 5,
      reasoning: "high",
      headers: { "x-team": "a" },
      providerOptions: { umpire: { speed: 1 } },
    } as const;
    const { warnings } = await experimental_decide({ ...call, ...ignored });
    const features = ["maxOutputTokens", "reasoning", "headers", "providerOptions.umpire.speed"];
    expect(warnings).toEqual(features.map((feature) => ({ type: "unsupported", feature, details: expect.any(String) as string })));
    const harmless = { reasoning: "none", headers: { "User-Agent": "mine" }, providerOptions: { openai: { speed: 1 } } } as const;
    expect((await experimental_decide({ ...call, ...harmless })).warnings).toEqual([]);
  });

  it("uses the given decider, and its own model if none is named", async () => {
    await using decider = createDecider({ precision: "fp32", model: new URL("../../models/umpire-2/", import.meta.url) });
    const own = createUmpire({ decider });
    const { answers } = await experimental_decide({ model: own(), state, questions: { route } });
    expect(answers.route.probabilities).toEqual((await decider.decide({ state, questions: { route } })).answers.route.probabilities);
    expect(answers.route.probabilities).not.toEqual((await decide({ state, questions: { route } })).answers.route.probabilities);
  });
});

function text(value: string): { type: "text"; text: string } {
  return { type: "text", text: value };
}

function json(value: JSONValue): { type: "json"; value: JSONValue } {
  return { type: "json", value };
}

function asSdkCall({ model, state, questions }: DecideRequest): Parameters<typeof experimental_decide>[0] {
  const translated = Object.entries(questions).map(([id, question]) => [
    id,
    question.type === "noul" ? { ...question, type: "boolean" } : question,
  ]);
  return {
    model: umpire(model),
    state: typeof state === "string" ? state : [json(state as JsonValue)],
    questions: Object.fromEntries(translated) as Record<string, Experimental_DecisionQuestion>,
  };
}

function answersOf({ answers }: DecideResponse): object {
  const translate = (answer: Answer): object => {
    if (answer.type === "noul") return { type: "boolean", probability: answer.noul };
    if (answer.type === "choice") return { type: answer.type, choice: answer.choice, probabilities: answer.probabilities };
    return { type: answer.type, score: answer.score, probabilities: answer.probabilities };
  };
  return Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, translate(answer)]));
}
