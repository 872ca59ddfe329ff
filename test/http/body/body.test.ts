import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ByteBudget } from "../../../src/http/body/byte-budget.ts";
import type { ByteShare } from "../../../src/http/body/byte-budget.ts";
import { receiveBody } from "../../../src/http/body/body.ts";
import type { Body } from "../../../src/http/body/body.ts";
import { rejection } from "../../support/rejection.ts";

const limits = { bodyBytes: 1000, nesting: 64, values: 1000 };
const textOfBytes = (count: number): string => JSON.stringify("a".repeat(count - 2));

/** Receives a body and reads it at once. */
async function readBody(request: Request, limitsOfBody: typeof limits, share: ByteShare): Promise<Body> {
  try {
    return await (
      await receiveBody(request, limitsOfBody, share)
    )();
  } finally {
    share.release();
  }
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
    const body = await readBody(requestOf(text), limits, new ByteBudget(1e9).share("a"));
    expect([body.value, body.sizeBytes]).toEqual([JSON.parse(text), limits.bodyBytes]);
    expect(await body.sha256()).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("is refused above the limit", async () => {
    const error = await rejection(() => readBody(requestOf(textOfBytes(limits.bodyBytes + 1)), limits, new ByteBudget(1e9).share("a")));
    expect(error).toMatchObject({ code: "input_too_long", status: 413 });
  });
});

it("the total size of bodies received at the same time is bounded, unless there is only one", async () => {
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
  for (const requestOf of [forms["a known length"], forms["an unknown length"]]) {
    const error = await rejection(() => readBody(requestOf(textOfBytes(600)), limits, budget.share("other")));
    expect(error).toMatchObject({ code: "overloaded", status: 429, retryAfterSeconds: 1 });
  }
  expect((await readBody(forms["an unknown length"](textOfBytes(400)), limits, budget.share("other"))).sizeBytes).toBe(400);
  finish?.();
  expect((await first).sizeBytes).toBe(1000);
  const whole = await readBody(forms["an unknown length"](textOfBytes(1000)), limits, new ByteBudget(1).share("a"));
  expect(whole.sizeBytes).toBe(1000);
});

it("a key that sends many bodies leaves room for other keys", async () => {
  const budget = new ByteBudget(10_000);
  const flood = Array.from({ length: 20 }, () => budget.share("flood"));
  const taken = flood.filter((share) => {
    try {
      share.reserve(1000);
      return true;
    } catch {
      return false;
    }
  });
  expect(taken.length).toBe(5);
  expect((await readBody(forms["a known length"](textOfBytes(1000)), limits, budget.share("light"))).sizeBytes).toBe(1000);
  for (const share of flood) share.release();
  budget.share("flood").reserve(10_000);
});

it.each(["abc", "-5", ""])("an invalid length (%j) does not use up the budget", async (length) => {
  const budget = new ByteBudget(1500);
  const request = new Request("http://host/", { method: "POST", body: "1", headers: { "content-length": length } });
  expect((await readBody(request, limits, budget.share("a"))).value).toBe(1);
  budget.share("a").reserve(1400);
  expect(() => {
    budget.share("b").reserve(1000);
  }).toThrow();
});

it("a body is read from requests without a stream, as in some service workers", async () => {
  const request = new Request("http://host/", { method: "POST", body: "1" });
  Object.defineProperty(request, "body", { value: undefined });
  expect((await readBody(request, limits, new ByteBudget(1e9).share("a"))).value).toBe(1);
});

it("a body that ends too early is a 400, not a 500", async () => {
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
