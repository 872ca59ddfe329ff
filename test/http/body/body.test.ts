import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ByteBudget } from "../../../src/http/body/byte-budget.ts";
import { readBody } from "../../../src/http/body/body.ts";
import { rejection } from "../../support/rejection.ts";

const limits = { bodyBytes: 1000, nesting: 64, values: 1000 };
const textOfBytes = (count: number): string => JSON.stringify("a".repeat(count - 2));

/** The same bytes as servers hand them over: with a length that was told, as a stream of unknown length. */
const forms = {
  "a length that is told": (text: string): Request =>
    new Request("http://host/", { method: "POST", body: text, headers: { "content-length": String(text.length) } }),
  "no length": (text: string): Request => {
    const body = new ReadableStream({
      start: (stream) => {
        for (const chunk of [text.slice(0, 3), text.slice(3)]) stream.enqueue(new TextEncoder().encode(chunk));
        stream.close();
      },
    });
    return new Request("http://host/", { method: "POST", body, duplex: "half" } as RequestInit);
  },
  "a length that is a lie": (text: string): Request =>
    new Request("http://host/", { method: "POST", body: text, headers: { "content-length": "5" } }),
};

describe.each(Object.entries(forms))("a body with %s", (_name, requestOf) => {
  it("is read whole, up to the limit", async () => {
    const text = textOfBytes(limits.bodyBytes);
    const body = await readBody(requestOf(text), limits, new ByteBudget(1e9).share("a"));
    expect([body.value, body.sizeBytes]).toEqual([JSON.parse(text), limits.bodyBytes]);
    expect(await body.sha256()).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("is refused beyond the limit", async () => {
    const error = await rejection(() => readBody(requestOf(textOfBytes(limits.bodyBytes + 1)), limits, new ByteBudget(1e9).share("a")));
    expect(error).toMatchObject({ code: "input_too_long", status: 413 });
  });
});

it("bodies that arrive together are bounded, and one alone never is", async () => {
  const budget = new ByteBudget(1500);
  let finish: (() => void) | undefined;
  const slow = new ReadableStream({
    start: (stream) => {
      stream.enqueue(new TextEncoder().encode(textOfBytes(1000)));
      finish = () => {
        stream.close();
      };
    },
  });
  const first = readBody(
    new Request("http://host/", { method: "POST", body: slow, duplex: "half" } as RequestInit),
    limits,
    budget.share("slow"),
  );
  await new Promise(setImmediate);
  for (const requestOf of [forms["a length that is told"], forms["no length"]]) {
    const error = await rejection(() => readBody(requestOf(textOfBytes(600)), limits, budget.share("other")));
    expect(error).toMatchObject({ code: "overloaded", status: 429, retryAfterSeconds: 1 });
  }
  expect((await readBody(forms["no length"](textOfBytes(400)), limits, budget.share("other"))).sizeBytes).toBe(400);
  finish?.();
  expect((await first).sizeBytes).toBe(1000);
  const whole = await readBody(forms["no length"](textOfBytes(1000)), limits, new ByteBudget(1).share("a"));
  expect(whole.sizeBytes).toBe(1000);
});

it("a key that sends much leaves room for others", async () => {
  const budget = new ByteBudget(10_000);
  const flood = Array.from({ length: 20 }, () => budget.share("flood"));
  const taken = flood.filter((share) => {
    try {
      share.take(1000);
      return true;
    } catch {
      return false;
    }
  });
  expect(taken.length).toBe(5);
  expect((await readBody(forms["a length that is told"](textOfBytes(1000)), limits, budget.share("light"))).sizeBytes).toBe(1000);
  for (const share of flood) share.giveBack();
  budget.share("flood").take(10_000);
});

it.each(["abc", "-5", ""])("a length that is none (%j) leaves the budget what it was", async (length) => {
  const budget = new ByteBudget(1500);
  const request = new Request("http://host/", { method: "POST", body: "1", headers: { "content-length": length } });
  expect((await readBody(request, limits, budget.share("a"))).value).toBe(1);
  budget.share("a").take(1400);
  expect(() => {
    budget.share("b").take(1000);
  }).toThrow();
});

it("a body is read where requests have no stream of it, as in some service workers", async () => {
  const request = new Request("http://host/", { method: "POST", body: "1" });
  Object.defineProperty(request, "body", { value: undefined });
  expect((await readBody(request, limits, new ByteBudget(1e9).share("a"))).value).toBe(1);
});

it("a body that breaks off is the sender's fault, not the service's", async () => {
  const broken = new ReadableStream({
    start: (stream) => {
      stream.error(new Error("reset"));
    },
  });
  const request = new Request("http://host/", { method: "POST", body: broken, duplex: "half" } as RequestInit);
  expect(await rejection(() => readBody(request, limits, new ByteBudget(1e9).share("a")))).toMatchObject({
    code: "invalid_request",
    status: 400,
  });
});
