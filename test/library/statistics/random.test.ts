import { describe, expect, it } from "vitest";
import { randomFrom, sampled } from "../../../src/library/statistics/random.ts";

describe("the choice of items", () => {
  const items = Array.from({ length: 100 }, (_, i) => i);

  it("depends only on the seed, and does not change the items", () => {
    expect(sampled(items, 10, 7)).toEqual(sampled(items, 10, 7));
    expect(sampled(items, 10, 7)).not.toEqual(sampled(items, 10, 8));
    expect(items[0]).toBe(0);
  });

  it("takes each item once, and all of them if there are fewer", () => {
    expect(sampled(items, 500, 7).sort((a, b) => a - b)).toEqual(items);
    expect(new Set(sampled(items, 60, 7)).size).toBe(60);
  });
});

it("numbers and choices of a seed stay what they are: an eval's rows and a pack's calibration rest on them", () => {
  const random = randomFrom(7);
  expect([random(), random(), random()]).toEqual([0.011704753153026104, 0.06195825757458806, 0.97690763277933]);
  expect(sampled(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"], 5, 7).join("")).toBe("gfibc");
});
