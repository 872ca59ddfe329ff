import { createDecider } from "umpire";
import { expect, it } from "vitest";
import { AddedPack } from "../../../../support/added-pack.ts";
import { TEXTS } from "../../../../support/texts.ts";

const request = {
  state: TEXTS.late,
  questions: { when: { type: "choice", instructions: "When?", criteria: { early: null, "on time": null, late: null } } },
} as const;

it("a pair model answers on wasm as on the processor", async () => {
  const { url: model } = await AddedPack.make("bert");
  // Where a processor's int8 products saturate, a published int8 graph gives other scores on it than anywhere else: "umpire models add" says so.
  await using builtIn = await createDecider({ model: "umpire-2", device: "cpu", inline: true });
  const isExact = (await builtIn.info()).graph === "int8";
  for (const precision of isExact ? (["fp32", "int8"] as const) : (["fp32"] as const)) {
    await using native = await createDecider({ model, device: "cpu", precision, inline: true, threads: 1 });
    await using wasm = await createDecider({ model, device: "wasm", precision, inline: true });
    const [expected, found] = [await native.decide(request), await wasm.decide(request)];
    const [given, wanted] = [found, expected].map(({ answers }) => Object.values(answers.when.probabilities));
    const differences = wanted?.map((p, i) => Math.abs(p - (given?.[i] ?? NaN))) ?? [NaN];
    expect(Math.max(...differences)).toBeLessThan(precision === "fp32" ? 1e-5 : 0.01);
    expect(found.usage).toEqual(expected.usage);
  }
});
