import { expect, it } from "vitest";
import { checkScaleOrder } from "../../../src/library/check/check.ts";
import type { Readings } from "../../../src/library/check/readings.ts";
import { parseQuestion } from "../../../src/library/decide/request.ts";

const unread: Readings = () => {
  throw new Error("Words of degree need no model.");
};
const warningsOf = async (...criteria: string[]): Promise<string[]> =>
  (await checkScaleOrder(parseQuestion({ type: "score", instructions: "How bad?", criteria }), unread)).map(({ code }) => code);

it("levels whose words rise, or stay as high as the one before, are a scale; those that fall are not", async () => {
  expect(await warningsOf("low", "medium", "high")).toEqual([]);
  expect(await warningsOf("low", "minor", "severe")).toEqual([]);
  expect(await warningsOf("high", "medium", "low")).toEqual(["scale_order"]);
});
