import { describe, expect, it } from "vitest";
import { ByteBudget } from "../../../src/http/body/byte-budget.ts";
import { DecideError } from "../../../src/errors.ts";

function reserve(budget: ByteBudget, key: string, sizeBytes: number): DecideError | undefined {
  try {
    budget.share(key).reserve(sizeBytes);
    return undefined;
  } catch (error) {
    if (DecideError.isInstance(error)) return error;
    throw error;
  }
}

describe("a byte budget", () => {
  it("gives a request that is alone all it needs, even more than the limit", () => {
    expect(reserve(new ByteBudget(10), "a", 1000)).toBeUndefined();
  });

  it("refuses what does not fit beside other requests, to be retried in a second", () => {
    const budget = new ByteBudget(100);
    expect(reserve(budget, "a", 60)).toBeUndefined();
    expect(reserve(budget, "b", 41)).toMatchObject({ code: "overloaded", status: 429, retryAfterSeconds: 1 });
    expect(reserve(budget, "b", 40)).toBeUndefined();
  });

  it("lets a key have at most as much as it leaves free", () => {
    const budget = new ByteBudget(100);
    expect(reserve(budget, "a", 40)).toBeUndefined();
    expect(reserve(budget, "a", 21)).toMatchObject({ code: "overloaded" });
    expect(reserve(budget, "a", 20)).toBeUndefined();
    expect(reserve(budget, "b", 40)).toBeUndefined();
  });

  it("counts a refused reservation as nothing", () => {
    const budget = new ByteBudget(100);
    reserve(budget, "a", 60);
    reserve(budget, "b", 1000);
    expect(reserve(budget, "b", 40)).toBeUndefined();
  });

  it("has everything back once all shares are released, however often they are released", () => {
    const budget = new ByteBudget(100);
    const [first, second] = [budget.share("a"), budget.share("b")];
    first.reserve(30);
    first.reserve(20);
    second.reserve(40);
    for (const share of [first, second, first]) share.release();
    expect(reserve(budget, "c", 100)).toBeUndefined();
    expect(reserve(budget, "d", 1)).toMatchObject({ code: "overloaded" });
  });
});
