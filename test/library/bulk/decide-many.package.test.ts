import { Readable } from "node:stream";
import { createDecider } from "umpire";
import type { DecideRequest, Decider, ManyRequest, ManyResult } from "umpire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ended, next } from "./loops.ts";
import { A, ANGRY, B, LATE, QUESTIONS, WatchedRows, about, collected, stateOf, states, webStream } from "./rows.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { sharedDecider } from "../../support/shared-decider.ts";

const decider = sharedDecider;
let two: Decider;
beforeAll(async () => {
  two = await createDecider({ threads: 1, workers: 2, cacheBytes: 0 });
});
afterAll(() => two.close());

/** What decide() says of each row by itself. */
async function each(requests: readonly DecideRequest[]): Promise<unknown[]> {
  const answered: unknown[] = [];
  for (const [index, request] of requests.entries()) answered.push({ index, ...(await decider.decide(request)) });
  return answered;
}

const requestOf = (index: number): ManyRequest => ({ state: stateOf(index), questions: QUESTIONS });
const indexesOf = (results: readonly ManyResult[]): number[] => results.map(({ index }) => index);
const ascending = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("rows are answered as decide() answers each alone", () => {
  test("requests, with their ids", async () => {
    const rows = ascending(12).map((i) => ({ id: i % 2 === 0 ? i : `row ${i}`, ...requestOf(i) }));
    const expected = await each(rows);
    expect(await collected(decider.decideMany(rows))).toEqual(expected.map((one, i) => ({ ...(one as object), id: rows[i]?.id })));
  });

  test("states, with the questions once", async () => {
    const rows = ["I am furious!", { subject: "Card", lines: ["Charged twice."] }, ["one", "two"], ""];
    const expected = await each(rows.map((state) => ({ state, questions: QUESTIONS })));
    const results = await collected(decider.decideMany(rows, { questions: QUESTIONS }));
    expect(results).toEqual(expected);
    expect(results.every((result) => !("id" in result))).toBe(true);
  });

  test("by several workers, in order or not, a few at a time or many", async () => {
    const rows = ascending(24).map(requestOf);
    const expected = await each(rows);
    for (const options of [{ concurrency: 1 }, { concurrency: 7 }, { ordered: false }, { ordered: false, concurrency: 20 }]) {
      const results = await collected(two.decideMany(rows, options));
      if (options.ordered !== false) expect(indexesOf(results)).toEqual(ascending(24));
      expect(results.sort((a, b) => a.index - b.index)).toEqual(expected);
    }
  });

  test("with the options of decide()", async () => {
    const options = { maxErrorRate: 0.3, maxInputTokens: 20 };
    const rows = ["I am furious! Give me my money back!", stateOf(0)];
    const [first, second] = await collected(decider.decideMany(rows, { questions: QUESTIONS, ...options }));
    expect(first?.answers).toEqual((await decider.decide({ state: rows[0] ?? "", questions: QUESTIONS }, options)).answers);
    expect(first?.answers?.["angry"]).toHaveProperty("x_act");
    expect(second?.error?.code).toBe("input_too_long");
  });

  test("none at all", async () => {
    expect(await collected(decider.decideMany([]))).toEqual([]);
  });
});

describe("rows about one state", () => {
  test("have it read once, by any worker, and freed after the last", async () => {
    const rows = [...about(A, ANGRY, LATE, ANGRY), ...about(B, ANGRY), ...about(A, LATE), ...about(B, LATE, ANGRY)];
    for (const one of [decider, two]) {
      expect(await collected(one.decideMany(rows))).toEqual(await each(rows as DecideRequest[]));
      expect((await one.info()).kept.heldBytes).toBe(0);
    }
  });

  test("that cannot be read are told row by row, with the errors of decide()", async () => {
    const results = await collected(decider.decideMany(about("word ".repeat(17_000), ANGRY, LATE)));
    expect(results.map(({ error }) => error?.code)).toEqual(["input_too_long", "input_too_long"]);
    const limited = await collected(decider.decideMany(about(A, ANGRY, LATE), { maxInputTokens: 4 }));
    expect(limited.map(({ error }) => error?.code)).toEqual(["input_too_long", "input_too_long"]);
  });
});

describe("rows come from", () => {
  const rows = ["Hello.", "I am furious!"];
  let expected: ManyResult[];
  beforeAll(async () => {
    expected = await collected(decider.decideMany(rows, { questions: QUESTIONS }));
  });
  const withoutIterator = (): ReadableStream<string> => Object.defineProperty(webStream(rows), Symbol.asyncIterator, { value: undefined });

  test.each([
    ["a generator", () => rows.values()],
    ["an async generator", () => new WatchedRows(rows)],
    ["a Node stream", () => Readable.from(rows) as AsyncIterable<string>],
    ["a web stream", () => webStream(rows)],
    ["a web stream that is no async iterable", withoutIterator],
  ])("%s", async (_, source) => {
    expect(await collected(decider.decideMany(source(), { questions: QUESTIONS }))).toEqual(expected);
  });

  test("and results go into a Node stream, or a web stream", async () => {
    const results = (): AsyncIterable<ManyResult> => decider.decideMany(rows, { questions: QUESTIONS });
    expect(await Readable.from(results()).toArray()).toEqual(expected);
    expect(await collected(webStream(results()))).toEqual(expected);
  });

  test("a web stream that is cancelled when the loop is left, iterable or not", async () => {
    for (const hidden of [false, true]) {
      let cancelled = 0;
      const stream = new ReadableStream<string>({
        pull: (controller) => {
          controller.enqueue("Hello.");
        },
        cancel: () => {
          cancelled++;
        },
      });
      if (hidden) Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
      const iterator = decider.decideMany(stream, { questions: QUESTIONS })[Symbol.asyncIterator]();
      await next(iterator);
      await ended(iterator);
      expect(cancelled).toBe(1);
    }
  });
});

describe("a row that cannot be answered", () => {
  const unreadable = {
    get id(): string {
      throw new Error("no id");
    },
  };
  const good = requestOf(1);
  const bad: readonly (readonly [unknown, string, string])[] = [
    [null, "invalid_request", "must be an object with state and questions, but is null"],
    ["text", "invalid_request", "must be an object"],
    [{ id: "a", questions: QUESTIONS }, "invalid_request", "state is missing"],
    [{ id: 7, state: "x", questions: { angry: { type: "nul" } } }, "invalid_request", 'did you mean "noul"'],
    [{ ...good, id: { of: "mine" } }, "invalid_request", "id must be a string or a number, but is an object with 1 key"],
    [unreadable, "invalid_request", "could not be read"],
    [{ ...good, state: "word ".repeat(20_000) }, "input_too_long", "20000 tokens"],
    [{ ...good, model: "umpire-9" }, "model_not_found", 'There is no model "umpire-9"'],
  ];

  test("is a result with its error, and the rows around it are answered", async () => {
    const rows = bad.flatMap(([row]) => [row, good]);
    const results = await collected(decider.decideMany(rows as ManyRequest[]));
    expect(indexesOf(results)).toEqual(ascending(2 * bad.length));
    const { answers } = await decider.decide(good);
    for (const [i, [row, code, words]] of bad.entries()) {
      const result = results[2 * i];
      expect(result?.error).toMatchObject({ name: "DecideError", code });
      expect(result?.error?.message).toContain(words);
      expect(Object.keys(result ?? {}).sort()).toEqual(typeof result?.id === "undefined" ? ["error", "index"] : ["error", "id", "index"]);
      expect(results[2 * i + 1]?.answers).toEqual(answers);
      if (typeof row === "object" && row !== null && row !== unreadable && result?.id !== undefined)
        expect(result.id).toBe((row as { id: string }).id);
    }
  });

  test("has the very error that decide() throws", async () => {
    const rows = bad.map(([row]) => row).filter((row) => row !== unreadable && !(row as { id?: unknown } | null)?.id);
    for (const { error, index } of await collected(decider.decideMany(rows as ManyRequest[]))) {
      const { code, message, issues } = await decideError(() => decider.decide(rows[index] as DecideRequest));
      expect(error).toMatchObject({ code, message, ...(issues && { issues }) });
    }
  });

  test("with questions asked of every row, is told of its state alone", async () => {
    const results = await collected(decider.decideMany(["a", 3, undefined, new Date()] as string[], { questions: QUESTIONS }));
    expect(results.map(({ error }) => error?.message)).toEqual([
      undefined,
      expect.stringContaining("state must be a string, an object or an array, but is a number"),
      expect.stringContaining("state is missing"),
      expect.stringContaining("state must be"),
    ]);
  });
});

test.each([
  ["of one state each", (i: number) => i],
  ["two of one state beside each other", (i: number) => i >> 1],
])("a row's owner may use its object again: rows %s", async (_, stateAt) => {
  const row = { state: { text: "" }, questions: { angry: { ...ANGRY, instructions: "" } } };
  function* reused(): Generator<ManyRequest> {
    for (let i = 0; i < 6; i++) {
      row.state.text = stateOf(stateAt(i));
      row.questions.angry.instructions = `Is message ${i} about a parcel?`;
      yield row;
    }
  }
  const fresh = ascending(6).map((i) => ({
    state: { text: stateOf(stateAt(i)) },
    questions: { angry: { ...ANGRY, instructions: `Is message ${i} about a parcel?` } },
  }));
  expect(await collected(decider.decideMany(reused(), { concurrency: 4 }))).toEqual(await each(fresh));
});

describe("what is wrong with the call ends it before a row is read:", () => {
  test.each([
    [{ concurrency: 0 }, "concurrency must be a whole number from 1 to 1000, but is 0"],
    [{ concurency: 2 }, "concurency"],
    [{ ordered: "yes" }, "ordered must be true or false"],
    [{ model: "" }, "model must be"],
    [{ questions: {} }, "questions must hold at least one question"],
    [{ signal: {} }, "signal must be an AbortSignal"],
    [null, "the argument must be an object"],
  ])("options %o", async (options, words) => {
    const rows = new WatchedRows(["a"]);
    const error = await decideError(() => collected(decider.decideMany(rows, options as never)));
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toContain(words);
    expect(rows.pulled).toBe(0);
  });

  test.each([
    ["text", "a string of 4 characters"],
    [undefined, "are missing"],
    [{ state: "a" }, "an object with 1 key"],
  ])("rows %o", async (rows, words) => {
    const error = await decideError(() => collected(decider.decideMany(rows as never, { questions: QUESTIONS })));
    expect(error).toMatchObject({ code: "invalid_request", message: expect.stringContaining(words) as string });
  });

  test("a model that there is not", async () => {
    const error = await decideError(() => collected(decider.decideMany(["a"], { questions: QUESTIONS, model: "umpire-9" })));
    expect(error.code).toBe("model_not_found");
  });
});

describe("an iteration ends", () => {
  test.each([true, false])("with the error of its source, after all rows before it (ordered: %s)", async (ordered) => {
    const cause = new Error("the disk is gone");
    const rows = new WatchedRows(states(9), (index) => (index === 5 ? Promise.reject(cause) : undefined));
    const results: ManyResult[] = [];
    const error = await decideError(async () => {
      for await (const result of two.decideMany(rows, { questions: QUESTIONS, ordered })) results.push(result);
    });
    expect(indexesOf(results).sort()).toEqual(ascending(5));
    expect(error).toMatchObject({ code: "invalid_request", cause });
    expect(error.message).toContain("row 5");
    expect(rows.isReturned).toBe(false);
  });

  test("with signal.reason, at once, and nothing runs any more", async () => {
    const controller = new AbortController();
    const rows = new WatchedRows(states(100));
    const reason = new Error("enough");
    const results = decider.decideMany(rows, { questions: QUESTIONS, signal: controller.signal });
    const error = await rejection(async () => {
      for await (const { index } of results) if (index === 3) controller.abort(reason);
    });
    expect(error).toBe(reason);
    expect(rows.isReturned).toBe(true);
    expect(decider.stats().pendingCalls).toBe(0);
    expect(await rejection(() => collected(decider.decideMany(["a"], { questions: QUESTIONS, signal: controller.signal })))).toBe(reason);
  });

  test("with signal.reason, also while its source gives nothing", async () => {
    const controller = new AbortController();
    const rows = new WatchedRows(states(3), (index) => (index === 1 ? new Promise<void>(() => undefined) : undefined));
    const iterator = decider.decideMany(rows, { questions: QUESTIONS, signal: controller.signal })[Symbol.asyncIterator]();
    expect((await next(iterator)).index).toBe(0);
    const waiting = rejection(() => iterator.next());
    controller.abort(new Error("enough"));
    expect(await waiting).toEqual(new Error("enough"));
    expect(rows.isReturned).toBe(true);
  });

  test("when the loop is left: what runs is ended, and so is the source", async () => {
    const rows = new WatchedRows(states(1000));
    for await (const { index } of decider.decideMany(rows, { questions: QUESTIONS })) if (index === 2) break;
    expect(rows.isReturned).toBe(true);
    expect(decider.stats().pendingCalls).toBe(0);
    expect(rows.pulled).toBeLessThan(50);
  });

  test("with `closed` when the decider is closed, after what was under way", async () => {
    const own = await createDecider({ threads: 1 });
    const rows = new WatchedRows(states(1000));
    const results: ManyResult[] = [];
    const error = await decideError(async () => {
      for await (const result of own.decideMany(rows, { questions: QUESTIONS })) {
        results.push(result);
        if (result.index === 2) await own.close();
      }
    });
    expect(error.code).toBe("closed");
    expect(indexesOf(results)).toEqual(ascending(results.length));
    expect(results.length).toBeGreaterThan(2);
    expect(results.every((result) => result.error === undefined)).toBe(true);
    expect(rows.isReturned).toBe(true);
    expect((await decideError(() => collected(own.decideMany([])))).code).toBe("closed");
  });

  test("with the reason of the decider's own signal", async () => {
    const controller = new AbortController();
    const own = await createDecider({ threads: 1, signal: controller.signal });
    const reason = new Error("leaving");
    const error = await rejection(async () => {
      for await (const { index } of own.decideMany(states(100), { questions: QUESTIONS })) if (index === 1) controller.abort(reason);
    });
    expect(error).toBe(reason);
    await own.close();
  });

  test("quietly, when nobody reads it", async () => {
    const rows = new WatchedRows(states(3));
    const iterator = decider.decideMany(rows, { questions: QUESTIONS })[Symbol.asyncIterator]();
    await ended(iterator);
    expect(rows.pulled).toBe(0);
  });
});
