import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import type { Question, State as LangChainState } from "@langchain/core/decisions";
import { createDecider, decide } from "umpire";
import type { State } from "umpire";
import { UmpireDecisionModel } from "umpire/langchain";
import { describe, expect, it, onTestFinished } from "vitest";
import { TEAM, teamLesson } from "../support/lessons.ts";
import { longRequest } from "../support/long-requests.ts";
import { decideError, rejection } from "../support/rejection.ts";
import { sharedDecider } from "../support/shared-decider.ts";
import { ASKED, TEXTS } from "../support/texts.ts";

const state = "I was charged twice and nobody answers my mails. Refund me or I will leave.";
const route = { type: "choice", instructions: "Which team?", criteria: { billing: "invoices and refunds", technical: null } } as const;
const mood = { type: "score" as const, instructions: "How upset?", criteria: ["calm", { level: "annoyed" }, ["furious"]] };
const leaving = { type: "noul", instructions: { ask: "Does the customer threaten to leave?" }, criteria: { true: "they say so" } } as const;
const questions = { route, mood, leaving };
const late = { type: "noul", instructions: ASKED.late } as const;
const model = new UmpireDecisionModel({ decider: sharedDecider });

class Seen extends BaseCallbackHandler {
  override name = "seen";
  readonly metadata: unknown[] = [];
  override handleChainStart(...[, , , , , metadata]: unknown[]): void {
    this.metadata.push(metadata);
  }
}

describe("a decision model of LangChain.js", () => {
  it("answers with exactly the answers of decide(), Umpire's own fields included", async () => {
    const ours = await decide({ state, questions });
    const response = await new UmpireDecisionModel().invoke({ state, questions });
    expect(response.answers).toEqual(ours.answers);
    expect(response.answers.route.x_accuracy).toBeGreaterThan(0.5);
    expect(response.model).toBe("umpire-2");
    expect([response.choices, response.scores, response.nouls]).toEqual([
      { route: ours.answers.route },
      { mood: ours.answers.mood },
      { leaving: ours.answers.leaving },
    ]);
    const { input_tokens, output_tokens } = ours.usage;
    expect(response.usage_metadata).toEqual({ input_tokens, output_tokens, total_tokens: input_tokens + output_tokens });
  });

  it("is a step of a chain, answers batches, and is traced by its name and model", async () => {
    const chain = RunnableLambda.from((text: string) => ({ state: text, questions: { late } }))
      .pipe(new UmpireDecisionModel({ decider: sharedDecider, model: "umpire-2" }))
      .pipe(({ answers }) => answers["late"]);
    const texts = [TEXTS.late, TEXTS.onTime];
    const seen = new Seen();
    const answers = await chain.batch(texts, { callbacks: [seen] });
    const ours = await Promise.all(texts.map((text) => sharedDecider.decide({ state: text, questions: { late } })));
    expect(answers).toEqual(ours.map((one) => one.answers.late));
    expect(seen.metadata).toContainEqual(expect.objectContaining({ ls_provider: "umpire", ls_model_name: "umpire-2" }));
  });

  const search = { id: "call-1", name: "search", args: { order: 17 }, type: "tool_call" } as const;
  it.each<[what: string, given: LangChainState, read: State]>([
    ["a user's message", new HumanMessage(state), state],
    ["a list with a user's message alone", [new HumanMessage(state)], state],
    ["a message in parts", new HumanMessage({ content: [text("Late."), text("Again.")] }), "Late.\nAgain."],
    ["an assistant's message", new AIMessage("It is on its way."), { assistant: "It is on its way." }],
    [
      "a talk with tools",
      [
        new SystemMessage("Be kind."),
        new HumanMessage(state),
        new AIMessage({ content: "", tool_calls: [search] }),
        new ToolMessage({ content: "not found", tool_call_id: "call-1", name: "search" }),
        new AIMessage({ content: "I look again.", tool_calls: [search, { ...search, id: "call-2", args: { order: 18 } }] }),
        new ToolMessage({ content: "found", tool_call_id: "call-2" }),
      ],
      [
        { system: "Be kind." },
        { user: state },
        { "call of search": [{ order: 17 }] },
        { "output of search": "not found" },
        { assistant: "I look again.", "call of search": [{ order: 17 }, { order: 18 }] },
        { "output of a tool": "found" },
      ],
    ],
    [
      "a thought",
      new AIMessage({ content: [{ type: "reasoning", reasoning: "Is it late?", signature: "c2ln" }, text("Yes.")] }),
      { assistant: [{ reasoning: "Is it late?" }, "Yes."] },
    ],
    ["an object with messages inside", { order: 17, talk: [new HumanMessage("Late.")] }, { order: 17, talk: [{ user: "Late." }] }],
    ["data that is no media, but of a type like it", { type: "image", size: 4 }, { type: "image", size: 4 }],
  ])("reads a state that is %s", async (_, given, read) => {
    const response = await model.invoke({ state: given, questions: { route } });
    const ours = await sharedDecider.decide({ state: read, questions: { route } });
    expect(response.answers).toEqual(ours.answers);
    expect(response.usage_metadata?.input_tokens).toBe(ours.usage.input_tokens);
  });

  it("is taught as its decider is, and says whether to act on an answer", async () => {
    const lesson = await teamLesson(sharedDecider);
    await sharedDecider.learn(lesson);
    onTestFinished(() => void sharedDecider.forget(lesson.id));
    const options = { maxErrorRate: 0.3 };
    const own = new UmpireDecisionModel({ decider: sharedDecider, ...options });
    const { answers } = await own.invoke({ state, questions: { team: TEAM, late } });
    expect(answers).toEqual((await sharedDecider.decide({ state, questions: { team: TEAM, late } }, options)).answers);
    expect(answers.team).toMatchObject({ x_lesson: lesson.id, x_act: expect.any(Boolean) as boolean });
    expect(answers.late.x_act).toBe(false);
    expect((await own.invoke({ state: "", questions: { late } })).answers.late.x_warnings).toEqual(["empty_state"]);
  });

  it("accepts names of built-in properties", async () => {
    const named = JSON.parse('{"__proto__": {"type": "noul", "instructions": "Is it late?"}}') as Record<string, typeof late>;
    const { answers } = await model.invoke({ state, questions: named });
    expect(Object.entries(answers)).toEqual([["__proto__", expect.objectContaining({ x_accuracy: expect.any(Number) as number })]]);
  });

  it("leaves its decider open", async () => {
    await using decider = createDecider({ threads: 1 });
    const request = { state, questions: { late } };
    await new UmpireDecisionModel({ decider }).invoke(request);
    expect((await decider.decide(request)).model).toBe("umpire-2");
  });
});

describe("a call of it that fails", () => {
  const image = { type: "image", mimeType: "image/png", data: "c2VjcmV0" } as const;
  it.each<[what: string, given: LangChainState, type: string]>([
    ["in a message", new HumanMessage({ content: [text(state), image] }), "image"],
    ["in an older shape", [new HumanMessage({ content: [{ type: "image_url", image_url: { url: "https://secret" } }] })], "image"],
    ["deep in an object", { mail: { parts: [{ type: "audio", url: "https://secret" }] } }, "audio"],
  ])("refuses media by name: %s", async (_, given, type) => {
    const error = await decideError(() => model.invoke({ state: given, questions: { late } }));
    expect(error.message).toBe(
      `Umpire reads text and JSON, but a part of the state is of type ${type}. Leave it out, or say in words what it shows.`,
    );
    expect(error).toMatchObject({
      code: "invalid_request",
      status: 422,
      issues: [{ loc: expect.arrayContaining(["body", "state"]) as string[] }],
    });
    expect(JSON.stringify(error.issues)).not.toContain("secret");
  });

  it("refuses media in a question", async () => {
    const error = await decideError(() => model.invoke({ state, questions: { late: { ...late, instructions: [image] } } }));
    expect(error.message).toContain("a part of the questions is of type image");
  });

  it("throws the error of decide(), as it is", async () => {
    const questionsOf = (question: Question): { x: Question } => ({ x: question });
    const calls = [
      { code: "invalid_request", state, questions: questionsOf({ type: "box", instructions: "Where?" }) },
      { code: "invalid_request", state, questions: questionsOf({ type: "choice", instructions: "?", criteria: { a: null } }) },
      { code: "input_too_long", state: longRequest.state.repeat(2), questions: questionsOf(late) },
    ];
    for (const { code, ...request } of calls) {
      const error = await decideError(() => model.invoke(request));
      const ours = await decideError(() => sharedDecider.decide(request as Parameters<typeof decide>[0]));
      expect(error).toMatchObject({ code, message: ours.message, issues: ours.issues });
    }
    const unknown = new UmpireDecisionModel({ decider: sharedDecider, model: "none-such" });
    expect(await decideError(() => unknown.invoke({ state, questions: { late } }))).toMatchObject({ code: "model_not_found", status: 404 });
  });

  it("refuses a state that is nested too deep, or contains itself", async () => {
    let deep: LangChainState = "late";
    for (let i = 0; i < 20_000; i++) deep = [deep];
    const cyclic: Record<string, LangChainState> = {};
    cyclic["a"] = [cyclic, cyclic];
    for (const [given, type] of [
      [deep, "too_deep"],
      [cyclic, "cyclic"],
    ] as const) {
      const error = await decideError(() => model.invoke({ state: given, questions: { late } }));
      expect(error).toMatchObject({
        code: "invalid_request",
        issues: expect.arrayContaining([expect.objectContaining({ type })]) as unknown,
      });
    }
  });

  it("refuses options that are misspelt or of no use", async () => {
    type Options = ConstructorParameters<typeof UmpireDecisionModel>[0];
    const error = await decideError(
      () => new UmpireDecisionModel({ modle: "latest", maxErrorRate: 5, model: "", decider: {} } as unknown as Options),
    );
    expect(error.message).toBe(
      "The options are not valid: modle is unknown (did you mean model?); decider must be a decider, such as createDecider(), but is an object with 0 keys; " +
        "model must be the id of a model, such as latest, but is an empty string; maxErrorRate must be a number above 0 and below 1, but is 5.",
    );
    const noOptions = await decideError(() => new UmpireDecisionModel("latest" as Options));
    expect(noOptions.message).toContain("must be an object such as { decider, model, maxErrorRate }, but is a string of 6 characters");
  });

  it("rejects with the signal's reason, before or during the call, and stops the work", async () => {
    const reason = new Error("no longer needed");
    const controller = new AbortController();
    const work: Promise<unknown>[] = [];
    // LangChain itself rejects at once, whether or not the work goes on.
    const seen: typeof decide = (request, options) => {
      const answered = sharedDecider.decide(request, options);
      work.push(answered);
      return answered;
    };
    const watched = new UmpireDecisionModel({ decider: { decide: seen } });
    const request = { state: longRequest.state, questions: { late } };
    const running = rejection(() => watched.invoke(request, { signal: controller.signal }));
    await expect.poll(() => sharedDecider.stats().pendingCalls).toBe(1);
    controller.abort(reason);
    expect(await running).toBe(reason);
    expect(await rejection(() => work[0])).toBe(reason);
    expect(await rejection(() => watched.invoke(request, { signal: controller.signal }))).toBe(reason);
  });
});

function text(value: string): { type: "text"; text: string } {
  return { type: "text", text: value };
}
