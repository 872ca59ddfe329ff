import { describe, expect, test } from "vitest";
import { labelsFrom, toLabels } from "../../../src/tools/models/read-config.ts";

const ORDERS = [
  ["entailment", "neutral", "contradiction"],
  ["entailment", "contradiction", "neutral"],
  ["neutral", "entailment", "contradiction"],
  ["neutral", "contradiction", "entailment"],
  ["contradiction", "entailment", "neutral"],
  ["contradiction", "neutral", "entailment"],
] as const;

describe("labels of natural language inference", () => {
  test.each(ORDERS)("are found in the order %s, %s, %s, in every usual spelling", (...order) => {
    const spelt = (spelling: Record<(typeof ORDERS)[0][number], string>): string[] => order.map((label) => spelling[label]);
    for (const named of [
      order,
      order.map((label) => label.toUpperCase()),
      order.map((label) => label.slice(0, 1)),
      spelt({ entailment: "Entail", neutral: "Neutral", contradiction: "Contradict" }),
      spelt({ entailment: "entailed", neutral: "neutral", contradiction: "contradicted" }),
      spelt({ entailment: "ENTAILMENT ", neutral: "_neutral_", contradiction: "Contradictory" }),
    ])
      expect(toLabels(named), named.join()).toEqual(order);
  });

  test.each([
    ["not_entailment", "entailment"],
    ["NOT-ENTAILMENT", "Entailment"],
    ["non entailment", "entail"],
    ["not_entailed", "entailed"],
    ["contradiction", "entailment"],
  ])("of two, one is the opposite: %s, %s", (...named) => {
    expect(toLabels(named)).toEqual(["not_entailment", "entailment"]);
    expect(toLabels([...named].reverse())).toEqual(["entailment", "not_entailment"]);
  });

  test.each([[["entailment", "neutral"]], [["entailment"]], [["entailment", "neutral", "contradiction", "other"]], [["yes", "no"]]])(
    "are not %j",
    (named) => {
      expect(() => toLabels(named)).toThrow();
    },
  );

  test("can be given by a person", () => {
    expect(labelsFrom("Contradiction, neutral ,ENTAILMENT")).toEqual(["contradiction", "neutral", "entailment"]);
    expect(() => labelsFrom("a,b,c")).toThrow(/with commas between them/u);
  });
});
