import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ByteBudget } from "../../../src/service/body/byte-budget.ts";
import { checkCounts, checkJsonLimits, receiveBody } from "../../../src/service/body/body.ts";
import type { Body, BodyChunks } from "../../../src/service/body/body.ts";
import { decideError, rejection } from "../../support/rejection.ts";

const limits = { bodyBytes: 1000, nesting: 64, values: 1000 };
const textOfBytes = (count: number): string => JSON.stringify("a".repeat(count - 2));

/** Receives a body and reads it at once. */
function readBody(
  request: Request,
  limitsOfBody: typeof limits,
  [budget, client]: readonly [ByteBudget, string],
  chunks?: BodyChunks,
): Promise<Body> {
  return budget.receive(client, async (reserve) => {
    const read = await receiveBody(request, limitsOfBody, reserve, chunks);
    return read();
  });
}

/** The same bytes in the ways servers hand them over: with a known length, as a stream of unknown length, and with a wrong length. */
const forms = {
  "a known length": (text: string): Request =>
    new Request("http://host/", { method: "POST", body: text, headers: { "content-length": String(text.length) } }),
  "an unknown length": (text: string): Request => {
    const body = new ReadableStream({
      start: (stream) => {
        for (const chunk of [text.slice(0, 3), text.slice(3)]) stream.enqueue(new TextEncoder().encode(chunk));
        stream.close();
      },
    });
    return new Request("http://host/", { method: "POST", body, duplex: "half" } as RequestInit);
  },
  "a wrong length": (text: string): Request =>
    new Request("http://host/", { method: "POST", body: text, headers: { "content-length": "5" } }),
};

describe.each(Object.entries(forms))("a body with %s", (_name, requestOf) => {
  it("is read completely up to the limit", async () => {
    const text = textOfBytes(limits.bodyBytes);
    const body = await readBody(requestOf(text), limits, [new ByteBudget(1e9), "a"]);
    expect([body.value, body.sizeBytes]).toEqual([JSON.parse(text), limits.bodyBytes]);
    expect(await body.sha256()).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("is refused above the limit", async () => {
    const error = await rejection(() => readBody(requestOf(textOfBytes(limits.bodyBytes + 1)), limits, [new ByteBudget(1e9), "a"]));
    expect(error).toMatchObject({ code: "input_too_long", status: 413 });
  });
});

/** A body of 1000 bytes whose end does not come until it is told to. */
function slowRequest(): { request: Request; finish: () => void } {
  let finish: (() => void) | undefined;
  const body = new ReadableStream({
    start: (stream) => {
      stream.enqueue(new TextEncoder().encode(textOfBytes(1000)));
      finish = () => {
        stream.close();
      };
    },
  });
  return { request: new Request("http://host/", { method: "POST", body, duplex: "half" } as RequestInit), finish: () => finish?.() };
}

it("bodies that are received at the same time have a bound; a slow one makes room for one that has arrived", async () => {
  const [first, second] = [slowRequest(), slowRequest()];
  const budget = new ByteBudget(2100);
  const reads = [first, second].map(({ request }) => readBody(request, limits, [budget, "slow"]));
  const refused = rejection(() => reads[0] ?? Promise.resolve());
  await new Promise(setImmediate);
  for (const requestOf of [forms["a known length"], forms["an unknown length"]])
    expect((await readBody(requestOf(textOfBytes(600)), limits, [budget, "other"])).sizeBytes).toBe(600);
  expect(await refused).toMatchObject({ code: "overloaded", status: 429, retryAfterSeconds: 1 });
  second.finish();
  expect((await reads[1])?.sizeBytes).toBe(1000);
});

it("a body that is alone may be larger than the budget", async () => {
  const whole = await readBody(forms["an unknown length"](textOfBytes(1000)), limits, [new ByteBudget(1), "a"]);
  expect(whole.sizeBytes).toBe(1000);
});

it("a server's own way to the body is preferred, and counts what has come, not what was announced", async () => {
  const budget = new ByteBudget(100);
  const announced = (): Request => new Request("http://host/", { method: "POST", body: "unread", headers: { "content-length": "1000" } });
  const bodies = ["a", "b"].map(async (client) => {
    const request = announced();
    const body = await readBody(request, limits, [budget, client], async (onChunk) => {
      for (const chunk of ["{", "}"]) {
        onChunk(new TextEncoder().encode(chunk));
        await new Promise(setImmediate);
      }
    });
    return [body.value, body.sizeBytes, request.bodyUsed];
  });
  expect(await Promise.all(bodies)).toEqual([
    [{}, 2, false],
    [{}, 2, false],
  ]);
});

it.each(["abc", "-5", ""])("an invalid length (%j) does not use up the budget", async (length) => {
  const budget = new ByteBudget(1500);
  const request = new Request("http://host/", { method: "POST", body: "1", headers: { "content-length": length } });
  expect((await readBody(request, limits, [budget, "a"])).value).toBe(1);
  const others = ["b", "c"].map((client) => readBody(forms["a known length"](textOfBytes(700)), limits, [budget, client]));
  expect(await Promise.all(others)).toHaveLength(2);
});

it("a body is read from requests without a stream, as in some service workers", async () => {
  const request = new Request("http://host/", { method: "POST", body: "1" });
  Object.defineProperty(request, "body", { value: undefined });
  expect((await readBody(request, limits, [new ByteBudget(1e9), "a"])).value).toBe(1);
});

it("a body that ends too early is a 400, not a 500", async () => {
  const broken = new ReadableStream({
    start: (stream) => {
      stream.error(new Error("reset"));
    },
  });
  const request = new Request("http://host/", { method: "POST", body: broken, duplex: "half" } as RequestInit);
  expect(await rejection(() => readBody(request, limits, [new ByteBudget(1e9), "a"]))).toMatchObject({
    code: "invalid_request",
    status: 400,
  });
});

const LIMITS = { nesting: 2, values: 3 };

describe("JSON limits", () => {
  it.each([
    "1",
    "[[1]]",
    '{"a":{"b":1}}',
    "[1,2,3]",
    "[[],{},[]]",
    "[[1,2]]",
    '{"a":[1]}',
    String.raw`["]]]\"[[[,,,,,", 2]`,
    '{"[[[": "{{{"}',
  ])("accept %s", (text) => {
    expect(() => {
      checkJsonLimits(text, LIMITS);
    }).not.toThrow();
  });

  it.each([
    ["[[[1]]]", "too_deep", "nests arrays and objects deeper than 2 levels"],
    ['[{"a":[]}]', "too_deep", "nests arrays and objects deeper than 2 levels"],
    ["[[],[[]]]", "too_deep", "nests arrays and objects deeper than 2 levels"],
    ["[1,2,3,4]", "too_many", "holds more than 3 values"],
    ["[[1,2],[3,4]]", "too_many", "holds more than 3 values"],
    ["[[1],[2]]", "too_many", "holds more than 3 values"],
    ['{"a":{"b":1,"c":2}, "d":3}', "too_many", "holds more than 3 values"],
    [String.raw`["\\",[[`, "too_deep", "nests arrays and objects deeper than 2 levels"],
  ])("refuse %s", async (text, type, msg) => {
    const error = await decideError(() => {
      checkJsonLimits(text, LIMITS);
    });
    expect(error).toMatchObject({ code: "invalid_request", status: 422, issues: [{ loc: ["body"], msg, type }] });
  });
});

const questionsOf = (...questions: unknown[]): object => ({
  model: "latest",
  state: "",
  questions: Object.fromEntries(questions.map((question, i) => [`q${i}`, question])),
});
const options = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, null]));
const choice = (count: number): object => ({ type: "choice", instructions: "?", criteria: options(count) });
const score = (count: number): object => ({ type: "score", instructions: "?", criteria: Array<string>(count).fill("x") });
const noul = { type: "noul", instructions: "?" };
const check = (body: unknown, questions: number, criteria: number) => (): void => {
  checkCounts(body, { questions, criteria });
};

describe("checkCounts", () => {
  it.each([
    ["of choices", questionsOf(choice(2), choice(3)), 2, 5],
    ["of a score", questionsOf(score(4)), 1, 4],
    ["of a noul, which has two", questionsOf(noul), 1, 2],
    ["of a noul that describes one", questionsOf({ ...noul, criteria: { true: "x" } }), 1, 2],
  ])("accepts exactly as many questions and criteria as the limits allow: %s", async (_, body, questions, criteria) => {
    expect(check(body, questions, criteria)).not.toThrow();
    for (const refused of [check(body, questions - 1, criteria), check(body, questions, criteria - 1)])
      expect(await decideError(refused)).toMatchObject({ code: "invalid_request", status: 422 });
  });

  it("names every limit that is exceeded, and the counts", async () => {
    const error = await decideError(check(questionsOf(choice(2), choice(3)), 1, 4));
    expect(error.message).toBe(
      "The request is too large for this service: questions must hold at most 1 questions in one request, but holds 2 (the first of 2 issues). Split it into several requests.",
    );
    expect(error.issues).toEqual([
      { loc: ["body", "questions"], msg: "must hold at most 1 questions in one request, but holds 2", type: "too_many" },
      { loc: ["body", "questions"], msg: "must hold at most 4 options and levels in one request, but holds 5", type: "too_many" },
    ]);
  });

  it("counts what is wrong besides, too", async () => {
    expect((await decideError(check(questionsOf(1, null, "x", {}), 3, 2))).issues).toHaveLength(1);
    expect((await decideError(check(questionsOf({ ...noul, criteria: options(9) }), 1, 8))).issues).toHaveLength(1);
    expect((await decideError(check(questionsOf({ type: 5, criteria: options(9) }), 1, 8))).issues).toHaveLength(1);
  });

  it.each([[null], [5], ["text"], [[]], [{}], [{ questions: "a long text" }], [{ questions: [1, 2] }], [{ questions: null }]])(
    "leaves %j to those who check what is in it",
    (body) => {
      expect(check(body, 1, 1)).not.toThrow();
    },
  );

  it.each([["a long text"], [undefined], [null]])(
    "counts a question with %j in place of criteria as two, which is the least",
    (criteria) => {
      const body = questionsOf({ type: "of another version", criteria });
      expect(check(body, 1, 2)).not.toThrow();
      expect(check(body, 1, 1)).toThrow("at most 1 options and levels");
    },
  );
});
