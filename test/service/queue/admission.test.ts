import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import { RateLimit, ServiceRate } from "../../../src/service/queue/admission.ts";

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

/** Figures are those of requests of 500 bytes, whose work is 1,000. */
const taught = (...durationsMs: number[]): ServiceRate => {
  const rate = new ServiceRate();
  for (const durationMs of durationsMs) rate.learn("a", 500, durationMs);
  return rate;
};

describe("the service rate", () => {
  it("has a first guess, in proportion to size", () => {
    const rate = new ServiceRate();
    expect(rate.expectedMs("a", 500)).toBeCloseTo(30);
    expect(rate.expectedMs("a", 62_000)).toBeGreaterThan(1000);
  });

  it("predicts in proportion to size, with 500 bytes of fixed work", () => {
    const rate = taught(100);
    expect(rate.expectedMs("a", 500)).toBeCloseTo(100);
    expect(rate.expectedMs("a", 0)).toBeCloseTo(50);
    expect(rate.expectedMs("a", 1500)).toBeCloseTo(200);
  });

  it("gives an observation half its weight 16 requests later", () => {
    const rate = taught(...Array<number>(1000).fill(100), ...Array<number>(16).fill(300));
    expect(rate.expectedMs("a", 500)).toBeCloseTo(200);
    expect(rate.expectedMs("new", 500)).toBeCloseTo(200);
  });

  it("weights a key's observations by their work", () => {
    const rate = new ServiceRate();
    rate.learn("a", 9500, 1000);
    rate.learn("a", 0, 1000);
    // 10,500 bytes of work in 2 s; the first observation has slightly less weight.
    expect(rate.expectedMs("a", 500)).toBeGreaterThan(190);
    expect(rate.expectedMs("a", 500)).toBeLessThan(200);
  });

  it("judges each key by its own requests, and a new one by those of all", () => {
    const rate = taught(20);
    rate.learn("heavy", 62_000, 62_500);
    expect(rate.expectedMs("a", 500)).toBeCloseTo(20);
    expect(rate.expectedMs("heavy", 500)).toBeCloseTo(1000);
    // Each request counts as much as another: of all bytes, nearly all were slow.
    expect(rate.expectedMs("new", 500)).toBeCloseTo(510, -2);
  });

  it("learns from a request that was stopped only that it takes at least so long", () => {
    const rate = taught(100);
    rate.learnAtLeast("a", 500, 50);
    expect(rate.expectedMs("a", 500)).toBeCloseTo(100);
    rate.learnAtLeast("a", 500, 8000);
    expect(rate.expectedMs("a", 500)).toBeGreaterThan(1000);
  });

  it("remembers a bounded number of keys", () => {
    const rate = new ServiceRate();
    for (let i = 0; i < 10_001; i++) rate.learn(`key ${i}`, 500, i === 0 ? 5000 : 100);
    expect(rate.expectedMs("key 0", 500)).toBeCloseTo(100);
  });
});
