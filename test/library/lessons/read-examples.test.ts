import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { MAX_EXAMPLES, readExample, readExamples, Rows } from "../../../src/library/lessons/read-examples.ts";
import type { Row } from "../../../src/library/lessons/read-examples.ts";
import { teach } from "../../../src/library/lessons/teach.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { coloured, COLOURS, syntheticReader } from "./synthetic-reader.ts";

const READER = syntheticReader();
const SCORE = { type: "score", instructions: "How much?", criteria: ["none", "some"] };
const NOUL = { type: "noul", instructions: "Is it?" };

/** Examples of which the last one is not valid. */
const withLast = (last: unknown): unknown[] => [...coloured(8), last];

describe("a reading in place of a text", () => {
  const SMALL = { type: "choice", instructions: "Which colour?", criteria: { red: null, green: null } } as const;

  it("is refused where its model, its question or a value is another", async () => {
    const reading = await readExample(COLOURS, "It is red.", READER, {});
    const cases: readonly [unknown, unknown][] = [
      [COLOURS, { ...reading, model: { id: "umpire-test", seal: "6".repeat(64) } }],
      [SMALL, reading],
      [COLOURS, { ...reading, probabilities: [1, 0] }],
      [COLOURS, { ...reading, probabilities: [2, 0, 0] }],
      [COLOURS, { ...reading, features: "AAAA" }],
      [COLOURS, { ...reading, text: "It is red." }],
      [COLOURS, { ...reading, umpire_reading: 2 }],
      [COLOURS, "It is red."],
    ];
    const messages = await Promise.all(
      cases.map(async ([question, changed]) => {
        const examples = [...coloured(8).map((example) => ({ ...example, answer: "red" })), { reading: changed, answer: "red" }];
        const error = await decideError(() => teach(question, examples, READER, {}));
        return [error.code, error.message.replace("The examples are not valid: the reading of examples[8] ", "").slice(0, 30)];
      }),
    );
    expect(messages).toEqual([
      ["invalid_request", "was made by another model than"],
      ["invalid_request", "is of another question: type, "],
      ...Array.from({ length: 4 }, () => ["invalid_request", "was changed or damaged. Read i"]),
      ...Array.from({ length: 2 }, () => ["invalid_request", "is not what readExample() gave"]),
    ]);
  });

  it("is taken beside texts, and a weight must not be below 0", async () => {
    const texts = coloured(30);
    const mixed = await Promise.all(
      texts.map(async ({ state, answer }, i) =>
        i % 2 === 0 ? { state, answer } : { reading: await readExample(COLOURS, state, READER, {}), answer },
      ),
    );
    expect((await teach(COLOURS, mixed, READER, {})).id).toBe((await teach(COLOURS, texts, READER, {})).id);
    await expect(teach(COLOURS, [{ state: "x", answer: "red", weight: -1 }], READER, {})).rejects.toThrow(
      "examples[0]: weight must be a finite number, 0 or more, but is -1",
    );
  });
});

describe("an example that is not valid is refused by its index, never its text", () => {
  const cases: [string, unknown, unknown, string, readonly (string | number)[]][] = [
    [
      "no state",
      COLOURS,
      { answer: "red" },
      "examples[8]: state is missing: it must be a string, an object or an array",
      ["examples", 8, "state"],
    ],
    [
      "a state of the wrong type",
      COLOURS,
      { state: 5, answer: "red" },
      "examples[8]: state must be a string, an object or an array, but is a number",
      ["examples", 8, "state"],
    ],
    [
      "a date in a state",
      COLOURS,
      { state: { at: new Date(0) }, answer: "red" },
      "examples[8]: a value in state must be a JSON value",
      ["examples", 8, "state", "at"],
    ],
    [
      "no object",
      COLOURS,
      "SECRET text",
      "examples[8] must be an object with state and answer, but is a string of 11 characters",
      ["examples", 8],
    ],
    [
      "a wrong key",
      COLOURS,
      { state: "x", answer: "rde" },
      'examples[8]: answer must be one of the 3 options\' keys, such as "red", but is "rde"',
      ["examples", 8, "answer"],
    ],
    [
      "a key of a prototype",
      COLOURS,
      { state: "x", answer: "constructor" },
      "examples[8]: answer must be one of the 3 options' keys",
      ["examples", 8, "answer"],
    ],
    [
      "a text for a key",
      COLOURS,
      { state: "x", answer: "SECRET words of a person" },
      "but is a string of 24 characters",
      ["examples", 8, "answer"],
    ],
    ["an index for a key", COLOURS, { state: "x", answer: 0 }, 'options\' keys, such as "red", but is 0', ["examples", 8, "answer"]],
    [
      "a getter that throws",
      COLOURS,
      {
        get state(): string {
          throw new Error("SECRET");
        },
      },
      "examples[8] could not be read: accessing one of its values threw",
      ["examples", 8],
    ],
  ];
  it.each(cases)("%s", async (_, question, last, message, loc) => {
    const error = await decideError(() => teach(question, withLast(last), READER, {}));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("SECRET");
    expect(error.issues?.[0]?.loc).toEqual(loc);
  });

  it("of a yes/no question or a score", async () => {
    const yes = await decideError(() => teach(NOUL, [{ state: "x", answer: "true" }], READER, {}));
    expect(yes.message).toBe("The examples are not valid: examples[0]: answer must be true or false, but is a string of 4 characters.");
    for (const answer of [2, -1, 0.5, NaN, "1"]) {
      const error = await decideError(() => teach(SCORE, [{ state: "x", answer }], READER, {}));
      expect(error.message).toContain("answer must be the index of a level, a whole number from 0 to 1, but is ");
    }
  });
});

describe("examples that cannot be used are refused", () => {
  it.each([
    ["nothing", undefined, "but are missing"],
    ["null", null, "but are null"],
    ["a text", '[{"state":"x"}]', "but are a string of 15 characters"],
    ["one example", { state: "x", answer: "red" }, "but are an object with 2 keys"],
    ["none", [], "at least 8 with an answer, but hold 0"],
    ["seven", coloured(7), "at least 8 with an answer, but hold 7"],
  ])("%s", async (_, examples, message) => {
    const error = await decideError(() => teach(COLOURS, examples, READER, {}));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain(message);
  });

  it("one more than 100,000, while they are read", async () => {
    let taken = 0;
    function* endless(): Generator {
      for (;;) {
        taken++;
        yield { state: "x" };
      }
    }
    const error = await decideError(() => teach(COLOURS, endless(), READER, {}));
    expect(error.message).toBe("examples must be at most 100000, but there are more. Give a part of them.");
    expect(taken).toBe(MAX_EXAMPLES + 1);
  });

  it("a question that is not valid, by the rules of requests, before any example is taken", async () => {
    const untouched = { [Symbol.iterator]: () => expect.fail("examples were read") };
    const error = await decideError(() =>
      teach({ type: "choice", instructions: "Which?", criteria: { one: null } }, untouched, READER, {}),
    );
    expect(error.message).toMatch(/^The question is not valid: question: criteria must hold at least 2 options/);
    expect(error.issues?.[0]?.loc).toEqual(["question", "criteria"]);
  });

  it("options that are none", async () => {
    const error = await decideError(() => teach(COLOURS, coloured(8), READER, { onprogress: 1, signal: 5 } as never));
    expect(error.message).toMatch(/onprogress is unknown \(did you mean onProgress\?\); signal must be an AbortSignal/);
  });
});

/** Counts what is asked of an iterator. */
function watched(
  items: readonly unknown[],
  onNext: (index: number) => unknown = () => undefined,
): AsyncIterable<unknown> & { taken: number; returned: number } {
  const iterable = {
    taken: 0,
    returned: 0,
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<IteratorResult<unknown>> {
        await onNext(iterable.taken);
        const value = items[iterable.taken++];
        return value === undefined ? { done: true, value } : { done: false, value };
      },
      return(): Promise<IteratorResult<unknown>> {
        iterable.returned++;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  return iterable;
}

describe("reading", () => {
  it("takes no more than a few examples ahead of the model", async () => {
    let [running, most, ahead, done] = [0, 0, 0, 0];
    const examples = watched(coloured(40));
    const reader = syntheticReader({
      onRead: async () => {
        most = Math.max(most, ++running);
        ahead = Math.max(ahead, examples.taken - done);
        await delay(0);
        running--;
        done++;
      },
    });
    await teach(COLOURS, examples, reader, {});
    expect(most).toBe(3);
    expect(ahead).toBeLessThanOrEqual(4);
    expect(examples.returned).toBe(0);
  });

  it("ends when the signal is aborted while a state is read: with its reason, and the iterator's return()", async () => {
    const ending = new AbortController();
    const reason = new Error("enough");
    const examples = watched(coloured(40));
    const reader = syntheticReader({
      onRead: async (state) => {
        if (state.startsWith("note 10:")) ending.abort(reason);
        await delay(0);
      },
    });
    expect(await rejection(() => teach(COLOURS, examples, reader, { signal: ending.signal }))).toBe(reason);
    expect(examples.returned).toBe(1);
    expect(examples.taken).toBeLessThan(15);
  });

  it("ends when the signal is aborted while an example is waited for", async () => {
    const ending = new AbortController();
    const examples = watched(coloured(40), (index) => {
      if (index !== 12) return;
      ending.abort();
      return new Promise(() => undefined);
    });
    expect(await rejection(() => teach(COLOURS, examples, READER, { signal: ending.signal }))).toBe(ending.signal.reason);
    expect(examples.returned).toBe(1);
  });

  it("does not begin with a signal that is aborted already", async () => {
    const examples = watched(coloured(40));
    const signal = AbortSignal.abort();
    expect(await rejection(() => teach(COLOURS, examples, READER, { signal }))).toBe(signal.reason);
    expect(examples.taken).toBe(0);
  });

  it("ends when the signal is aborted while heads are searched", async () => {
    const ending = new AbortController();
    let nowMs = 0;
    // The search gives way every few milliseconds. By this clock each step takes so long.
    using clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
    const call = teach(COLOURS, coloured(30), READER, {
      signal: ending.signal,
      onProgress: ({ stage }) => {
        if (stage === "fitting") ending.abort();
      },
    });
    expect(await rejection(() => call)).toBe(ending.signal.reason);
    expect(clock).toHaveBeenCalled();
  });

  it("ends with the model's failure, even while an example is waited for", async () => {
    const failure = new DecideError("worker_lost", "The worker ended.");
    const examples = watched(coloured(40), (index) => (index === 5 ? new Promise(() => undefined) : undefined));
    const reader = syntheticReader({
      onRead: async (state) => {
        await delay(0);
        if (state.startsWith("note 4:")) throw failure;
      },
    });
    expect(await rejection(() => teach(COLOURS, examples, reader, {}))).toBe(failure);
    expect(examples.returned).toBe(1);
  });

  it("tells by its index of a state that is too long", async () => {
    const issues = [{ loc: ["body", "state"], msg: "has 70000 tokens, and may have 16384", type: "too_long" as const }];
    const reader = syntheticReader({
      onRead: (state) => {
        if (state.startsWith("note 9:"))
          throw new DecideError("input_too_long", "The request is too long: state has 70000 tokens.", { issues });
      },
    });
    const error = await decideError(() => teach(COLOURS, coloured(20), reader, {}));
    expect(error).toMatchObject({
      code: "input_too_long",
      message: "examples[9] cannot be read. The request is too long: state has 70000 tokens.",
    });
    expect(error.issues?.[0]?.loc).toEqual(["examples", 9, "state"]);
  });

  it("tells where an iterator threw, and keeps what it threw as the cause", async () => {
    const thrown = new Error("SECRET");
    const examples = watched(coloured(40), (index) => {
      if (index === 9) throw thrown;
    });
    const error = await decideError(() => teach(COLOURS, examples, READER, {}));
    expect(error.message).toBe("The examples could not be read: their iterator threw at example 9. The error's cause says why.");
    expect(error.code).toBe("invalid_request");
    expect(error.cause).toBe(thrown);
  });

  it("takes sets, generators and async generators", async () => {
    async function* later(): AsyncGenerator {
      for (const example of coloured(9)) {
        await delay(0);
        yield example;
      }
    }
    for (const examples of [new Set(coloured(9)), coloured(9).values(), later()]) {
      const { rows } = await readExamples(parseQuestion(COLOURS), examples, READER, undefined, () => undefined);
      expect(
        rows
          .inOwnOrder()
          .map(({ index }) => index)
          .toSorted((a, b) => a - b),
      ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    }
  });

  it("tells its progress, and then that of the search", async () => {
    const told: string[] = [];
    await teach(COLOURS, coloured(9), READER, { onProgress: ({ stage, done }) => void told.push(`${stage} ${done}`) });
    expect(told.slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, i) => `reading ${i + 1}`));
    expect(told.slice(9).every((line) => line.startsWith("fitting "))).toBe(true);
    expect(told.at(-1)).toBe("fitting 1");
  });
});

const rowOf = (text: string, index: number, answer = 0): Row => ({
  index,
  text,
  answer,
  probabilities: Float64Array.of(0.5, 0.5),
  features: undefined,
});

function kept(rows: readonly Row[], maxRows: number): [string, number][] {
  const all = new Rows(2, () => maxRows);
  for (const row of rows) all.add(row);
  return all.inOwnOrder().map(({ text, answer }) => [text, answer]);
}

describe("rows", () => {
  it("are those whose texts come first, whatever order they came in", () => {
    const rows = Array.from({ length: 40 }, (_, i) => rowOf(String((i * 7) % 20).padStart(2, "0"), i, i % 2));
    const expected = kept(rows, 100).slice(0, 5);
    expect(expected).toEqual([
      ["00", 0],
      ["00", 0],
      ["01", 1],
      ["01", 1],
      ["02", 0],
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(kept(shuffled, 5)).toEqual(expected);
      }),
    );
  });

  it("of one text are kept by their answers, whatever order they came in", () => {
    const rows = [1, 1, 1, 1, 0].map((answer, i) => rowOf("a", i, answer));
    expect(kept(rows, 2)).toEqual([
      ["a", 0],
      ["a", 1],
    ]);
    expect(kept(rows.toReversed(), 2)).toEqual(kept(rows, 2));
  });

  it("are counted, also those that are not kept", () => {
    const all = new Rows(3, () => 4);
    for (let i = 0; i < 100; i++) all.add(rowOf(String(i), i, i % 2));
    expect([all.added, ...all.counts]).toEqual([100, 50, 50, 0]);
  });

  it("are fewer where each holds more numbers, so that the time of fitting is bounded", () => {
    const many = (options: number, features: number): number => {
      const all = new Rows(options);
      const shared = { probabilities: new Float64Array(options), features: new Float32Array(features) };
      for (let i = 0; i < 9000; i++) all.add({ ...rowOf(String(i), i), ...shared });
      return all.inOwnOrder().length;
    };
    expect([many(10, 192), many(20, 192), many(255, 2304)]).toEqual([8000, 4166, 2000]);
  });
});
