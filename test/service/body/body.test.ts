import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ByteBudget } from "../../../src/service/body/byte-budget.ts";
import type { ByteShare } from "../../../src/service/body/byte-budget.ts";
import { receiveBody } from "../../../src/service/body/body.ts";
import type { Body, BodyChunks } from "../../../src/service/body/body.ts";
import { rejection } from "../../support/rejection.ts";

const limits = { bodyBytes: 1000, nesting: 64, values: 1000 };
const textOfBytes = (count: number): string => JSON.stringify("a".repeat(count - 2));

/** Receives a body and reads it at once. */
function readBody(request: Request, limitsOfBody: typeof limits, share: ByteShare, chunks?: BodyChunks): Promise<Body> {
  return share.receive(async (reserve) => {
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
    const body = await readBody(requestOf(text), limits, new ByteBudget(1e9).share("a"));
    expect([body.value, body.sizeBytes]).toEqual([JSON.parse(text), limits.bodyBytes]);
    expect(await body.sha256()).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("is refused above the limit", async () => {
    const error = await rejection(() => readBody(requestOf(textOfBytes(limits.bodyBytes + 1)), limits, new ByteBudget(1e9).share("a")));
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
  const reads = [first, second].map(({ request }) => readBody(request, limits, budget.share("slow")));
  const refused = rejection(() => reads[0] ?? Promise.resolve());
  await new Promise(setImmediate);
  for (const requestOf of [forms["a known length"], forms["an unknown length"]])
    expect((await readBody(requestOf(textOfBytes(600)), limits, budget.share("other"))).sizeBytes).toBe(600);
  expect(await refused).toMatchObject({ code: "overloaded", status: 429, retryAfterSeconds: 1 });
  second.finish();
  expect((await reads[1])?.sizeBytes).toBe(1000);
});

it("a body that is alone may be larger than the budget", async () => {
  const whole = await readBody(forms["an unknown length"](textOfBytes(1000)), limits, new ByteBudget(1).share("a"));
  expect(whole.sizeBytes).toBe(1000);
});

it("a server's own way to the body is preferred, and counts what has come, not what was announced", async () => {
  const budget = new ByteBudget(100);
  const announced = (): Request => new Request("http://host/", { method: "POST", body: "unread", headers: { "content-length": "1000" } });
  const bodies = ["a", "b"].map(async (client) => {
    const request = announced();
    const body = await readBody(request, limits, budget.share(client), async (onChunk) => {
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
  expect((await readBody(request, limits, budget.share("a"))).value).toBe(1);
  const others = ["b", "c"].map((client) => readBody(forms["a known length"](textOfBytes(700)), limits, budget.share(client)));
  expect(await Promise.all(others)).toHaveLength(2);
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
