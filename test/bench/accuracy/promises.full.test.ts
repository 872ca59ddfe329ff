import { expect, it } from "vitest";
import type { Outcome } from "../../../src/tools/eval/report.ts";
import { load } from "./modules.ts";

const { promisesOf } = await load("promises");

const outcome = (isRight: boolean, options: number): Outcome => ({
  type: "choice",
  options: Array.from({ length: options }, (_, i) => String(i)),
  truth: "a",
  said: isRight ? "a" : "b",
  isRight,
  probability: 0.5,
});

it("what answers state is compared with what was right by number of options, without those that state nothing", () => {
  const two = [
    { ...outcome(true, 2), statedAccuracy: 0.8 },
    { ...outcome(false, 2), statedAccuracy: 0.6 },
  ];
  const many = [{ ...outcome(true, 11), statedAccuracy: 0.5 }, { ...outcome(true, 30), statedAccuracy: 0.5 }, outcome(true, 11)];
  const promises = promisesOf([...two, ...many]);
  expect(promises.map(({ name, n, right }) => [name, n, right])).toEqual([
    ["choice, 2 options", 2, 0.5],
    ["choice, 11-30", 2, 1],
  ]);
  expect(promises[0]?.stated).toBeCloseTo(0.7, 12);
  expect(promises[1]?.error).toBeCloseTo(0.5, 12);
});
