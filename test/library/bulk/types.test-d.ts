import { Readable } from "node:stream";
import { createDecider } from "umpire";
import type { ChoiceAnswer, DecideError, Decider, LazyDecider, ManyOptions, ManyRequest, ManyResult, NoulAnswer, Usage } from "umpire";
import { describe, expectTypeOf, it } from "vitest";

/** Compiled, never run. */

const route = { type: "choice", instructions: "Which team?", criteria: { billing: null, sales: null } } as const;
const angry = { type: "noul", instructions: "Is the customer angry?" } as const;

describe("many rows", () => {
  const decider: Decider = {} as Decider;

  it("answer the questions that they have in common", async () => {
    for await (const result of decider.decideMany(["a", { text: "b" }], { questions: { route, angry } })) {
      expectTypeOf(result.index).toEqualTypeOf<number>();
      expectTypeOf(result.id).toEqualTypeOf<string | number | undefined>();
      const { answers, usage, error } = result;
      if (error !== undefined) {
        expectTypeOf(error).toEqualTypeOf<DecideError>();
        expectTypeOf(answers).toEqualTypeOf<undefined>();
        continue;
      }
      expectTypeOf(answers.route).toEqualTypeOf<ChoiceAnswer<"billing" | "sales">>();
      expectTypeOf(answers.angry).toEqualTypeOf<NoulAnswer>();
      expectTypeOf(usage).toEqualTypeOf<Usage>();
    }
  });

  it("answer questions of their own", async () => {
    const rows = ["a", "b"].map((state, id) => ({ id, state, questions: { route } }));
    for await (const { answers, error } of decider.decideMany(rows, { concurrency: 4, ordered: false }))
      if (error === undefined) expectTypeOf(answers.route.choice).toEqualTypeOf<"billing" | "sales">();
    const unknown: ManyRequest[] = [];
    expectTypeOf(decider.decideMany(unknown)).toEqualTypeOf<AsyncIterable<ManyResult>>();
  });

  it("come from iterables and streams", () => {
    const questions = { angry };
    const lazy: LazyDecider = createDecider();
    void lazy.decideMany(new Set(["a"]), { questions });
    void lazy.decideMany(new ReadableStream<string>(), { questions });
    void lazy.decideMany(Readable.from(["a"]), { questions });
    void Readable.from(lazy.decideMany(["a"], { questions }));
    expectTypeOf<ManyOptions>().toHaveProperty("signal");
    // @ts-expect-error a row is a state, and a number is none
    void lazy.decideMany([1], { questions });
    // @ts-expect-error one request is not rows
    void lazy.decideMany({ state: "a", questions });
    // @ts-expect-error a row without questions
    void lazy.decideMany([{ state: "a" }]);
    // @ts-expect-error no such option
    void lazy.decideMany(["a"], { questions, parallel: 2 });
    // @ts-expect-error a choice has two options or more
    void lazy.decideMany(["a"], { questions: { route: { type: "choice", instructions: "Which?", criteria: { one: null } } } });
  });
});
