import { describe, expect, it } from "vitest";
import { ServiceRate } from "../../../src/http/queue/service-rate.ts";

describe("the service rate", () => {
  it("predicts nothing before the first observation", () => {
    expect(new ServiceRate().expectedMs(1_000_000)).toBe(0);
  });

  it("predicts in proportion to size, with 500 bytes of fixed work", () => {
    const rate = new ServiceRate();
    rate.learn(500, 100);
    expect(rate.expectedMs(500)).toBeCloseTo(100);
    expect(rate.expectedMs(0)).toBeCloseTo(50);
    expect(rate.expectedMs(1500)).toBeCloseTo(200);
  });

  it("gives an observation half its weight 16 requests later", () => {
    const rate = new ServiceRate();
    for (let i = 0; i < 1000; i++) rate.learn(500, 100);
    for (let i = 0; i < 16; i++) rate.learn(500, 300);
    expect(rate.expectedMs(500)).toBeCloseTo(200);
  });

  it("weights observations by their work", () => {
    const rate = new ServiceRate();
    rate.learn(9500, 1000);
    rate.learn(0, 1000);
    // 10,500 bytes of work in 2 s; the first observation has slightly less weight.
    expect(rate.expectedMs(500)).toBeGreaterThan(190);
    expect(rate.expectedMs(500)).toBeLessThan(200);
  });
});
