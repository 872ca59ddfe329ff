import { createDecider } from "umpire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AddedPack } from "../../../support/added-pack.ts";

let pack: AddedPack;
beforeAll(async () => {
  pack = await AddedPack.make("bert");
});
afterAll(() => pack.remove());

const request = {
  state: "The parcel arrived two days late.",
  questions: { when: { type: "choice", instructions: "When?", criteria: { early: null, "on time": null, late: null } } },
} as const;

it("a pair model answers on wasm as on the processor", async () => {
  for (const precision of ["fp32", "int8"] as const) {
    await using native = await createDecider({ model: pack.url, device: "cpu", precision });
    await using wasm = await createDecider({ model: pack.url, device: "wasm", precision });
    const [expected, found] = [await native.decide(request), await wasm.decide(request)];
    const [given, wanted] = [found, expected].map(({ answers }) => Object.values(answers.when.probabilities));
    const differences = wanted?.map((p, i) => Math.abs(p - (given?.[i] ?? NaN))) ?? [NaN];
    expect(Math.max(...differences)).toBeLessThan(precision === "fp32" ? 1e-5 : 0.01);
    expect(found.usage).toEqual(expected.usage);
  }
});
