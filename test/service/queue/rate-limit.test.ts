import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateLimit } from "../../../src/service/queue/rate-limit.ts";
import { DecideError } from "../../../src/errors.ts";

const refusal = (limit: RateLimit, key: string, perMinute: number, nowMs: number): DecideError | undefined => {
  try {
    limit.count(key, perMinute, nowMs);
  } catch (error) {
    if (DecideError.isInstance(error)) return error;
    throw error;
  }
  return undefined;
};

describe("a rate limit", () => {
  it("allows a number of requests per minute, then says when to retry", () => {
    const limit = new RateLimit();
    for (let i = 0; i < 3; i++) expect(refusal(limit, "a", 3, i * 1000)).toBeUndefined();
    expect(refusal(limit, "a", 3, 10_000)).toMatchObject({ code: "overloaded", status: 429, retryAfterSeconds: 50 });
    expect(refusal(limit, "b", 3, 10_000)).toBeUndefined();
    expect(refusal(limit, "a", 3, 60_000)).toBeUndefined();
  });

  it("of nothing says a minute, at any time of a clock that counts fractions of a millisecond", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (nowMs) => {
        expect(refusal(new RateLimit(), "a", 0, nowMs)?.retryAfterSeconds).toBe(60);
      }),
    );
  });

  it("holds in any interval of a minute", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.array(fc.nat(20_000), { maxLength: 60 }), (perMinute, gaps) => {
        const limit = new RateLimit();
        let nowMs = 0;
        const accepted: number[] = [];
        for (const gap of gaps) {
          nowMs += gap;
          const refused = refusal(limit, "a", perMinute, nowMs);
          const recent = accepted.filter((time) => time > nowMs - 60_000).length;
          expect(refused === undefined).toBe(recent < perMinute);
          if (refused === undefined) accepted.push(nowMs);
        }
      }),
    );
  });
});
