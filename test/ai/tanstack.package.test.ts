import { boolean, choice, decide as decideWith, score } from "@tanstack/ai";
import type { AnyEvaluateAdapter } from "@tanstack/ai";
import { createDecider, decide } from "umpire";
import { umpireDecider, umpireFields } from "umpire/tanstack";
import { describe, expect, it } from "vitest";
import { longRequest } from "../support/long-requests.ts";
import { decideError, rejection } from "../support/rejection.ts";
import { sharedDecider } from "../support/shared-decider.ts";
import { ASKED, TEXTS } from "../support/texts.ts";

const state = { from: "Ann", text: "I was charged twice. Refund me or I will leave." };
const questions = {
  route: choice({ instructions: "Which team?", options: { billing: "invoices and refunds", technical: null } }),
  mood: score({ instructions: "How upset?", levels: ["calm", "annoyed", "furious"] }),
  leaving: yesNo({ instructions: "Does the customer threaten to leave?", criteria: { true: "they say so" } }),
};
const late = yesNo({ instructions: ASKED.late });
const adapter = umpireDecider("latest", { decider: sharedDecider });
/** TanStack AI would print what fails. */
const quiet = { debug: false } as const;

describe("decide() of TanStack AI with umpireDecider", () => {
  it("answers with exactly the numbers of decide(), and gives Umpire's own fields by question", async () => {
    const { answers, usage } = await decide({ state, questions: asOurs(questions) });
    const { route, mood, leaving } = answers as unknown as { readonly [Id in keyof typeof questions]: Record<string, unknown> };
    const result = await decideWith({ adapter: umpireDecider(), state, questions });
    expect(result).toMatchObject({
      route: { value: route["choice"], probabilities: route["probabilities"], confidence: route["confidence"] },
      mood: { score: mood["score"], legend: mood["legend"], probabilities: mood["probabilities"], confidence: mood["confidence"] },
      leaving: { probability: leaving["noul"] },
      meta: { model: "umpire-2", usage: { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens } },
    });
    expect(result.meta.usage.totalTokens).toBe(usage.input_tokens + usage.output_tokens);
    const fields = umpireFields(result);
    expect(fields.route).toEqual({ x_accuracy: route["x_accuracy"] });
    expect(Object.keys(fields)).toEqual(["route", "mood", "leaving"]);
  });

  it("says at the error rate of the call whether to act, and warns", async () => {
    const call = { adapter, state: "", questions: { late } };
    const { late: fields } = umpireFields(await decideWith({ ...call, modelOptions: { maxErrorRate: 0.1 } }));
    expect(fields).toEqual({ x_act: false, x_act_reason: "warning", x_warnings: ["empty_state"] });
  });

  it("leaves its decider open", async () => {
    await using decider = createDecider({ threads: 1 });
    const call = { adapter: umpireDecider("umpire-2", { decider }), state: TEXTS.late, questions: { late } };
    expect((await decideWith(call)).late.value).toBe(true);
    expect((await decideWith(call)).late.value).toBe(true);
  });
});

describe("a call of it that fails", () => {
  it("throws the error of decide(), as it is", async () => {
    const one = choice({ instructions: "?", options: { a: null } });
    const call = { adapter, state: TEXTS.late, questions: { one }, ...quiet };
    const error = await decideError(() => decideWith(call));
    const ours = await decideError(() => sharedDecider.decide({ state: TEXTS.late, questions: asOurs({ one }) }));
    expect(error).toMatchObject({ code: "invalid_request", message: ours.message, issues: ours.issues });
    const unknown = { ...call, questions: { late }, adapter: umpireDecider("none-such", { decider: sharedDecider }) };
    expect(await decideError(() => decideWith(unknown))).toMatchObject({ code: "model_not_found", status: 404 });
    const misspelt = { ...call, questions: { late }, modelOptions: { maxErorRate: 0.1 } as object };
    expect((await decideError(() => decideWith(misspelt))).message).toContain("maxErorRate is unknown (did you mean maxErrorRate?)");
  });

  it("refuses options that are misspelt or of no use", async () => {
    const messageOf = async (options: object): Promise<string> => (await decideError(() => umpireDecider("latest", options))).message;
    expect(await messageOf({ decidr: sharedDecider })).toBe("The options are not valid: decidr is unknown (did you mean decider?).");
    expect(await messageOf({ decider: {} })).toMatch(/decider must be a decider, such as createDecider\(\), but is an object with 0 keys/u);
  });

  it("rejects with the signal's reason, before or during the call, and stops the work", async () => {
    const reason = new Error("no longer needed");
    const controller = new AbortController();
    const call = { adapter, state: longRequest.state, questions: { late }, abortSignal: controller.signal, ...quiet };
    const running = rejection(() => decideWith(call));
    await expect.poll(() => sharedDecider.stats().pendingCalls).toBe(1);
    controller.abort(reason);
    expect(await running).toBe(reason);
    await expect.poll(() => sharedDecider.stats().pendingCalls).toBe(0);
    expect(await rejection(() => decideWith(call))).toBe(reason);
  });

  it("has no fields of Umpire where another adapter answered", async () => {
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
    const evaluate: AnyEvaluateAdapter["evaluate"] = () =>
      Promise.resolve({ model: "m", answers: { late: { type: "noul", noul: 1 } }, usage });
    const other: AnyEvaluateAdapter = { kind: "evaluate", name: "other", model: "m", "~types": { providerOptions: {} }, evaluate };
    const result = await decideWith({ adapter: other, state: TEXTS.late, questions: { late } });
    expect(await decideError(() => umpireFields(result))).toMatchObject({ code: "invalid_request" });
  });
});

/** Its type does not fit `decide()` where \`exactOptionalPropertyTypes\` is on. */
function yesNo(given: Parameters<typeof boolean>[0]): { type: "noul"; instructions: string } {
  return boolean(given) as { type: "noul"; instructions: string };
}

/** TanStack AI's questions are those of the wire. */
function asOurs(given: object): Parameters<typeof decide>[0]["questions"] {
  return given as Parameters<typeof decide>[0]["questions"];
}
