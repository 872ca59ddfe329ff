import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";

interface Decision {
  readonly state: string;
  readonly truth: string;
  readonly question: { readonly type: string; readonly instructions: string; readonly criteria?: object };
}
interface Decisions {
  readonly readDecisions: (read: (file: string) => Promise<string>) => Promise<{ kind: string; decisions: Decision[] }[]>;
}

const FOLDER = new URL("bench/practical/", PACKAGE_ROOT);
const { readDecisions } = (await import(new URL("decisions.mjs", FOLDER).href)) as Decisions;
const kinds = await readDecisions((file) => readFile(new URL(file, FOLDER), "utf8"));

it("there are nine kinds of practical decisions", () => {
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([
    "advertising",
    "comments",
    "insult",
    "policy",
    "refund",
    "spam",
    "steps",
    "tickets",
    "upset",
  ]);
});

it.each(kinds)("$kind has 40 different texts, each right answer as often as another", ({ decisions }) => {
  expect(new Set(decisions.map(({ state }) => state)).size).toBe(40);
  const { type, criteria = {} } = decisions[0]?.question ?? { type: "" };
  const options = type === "noul" ? ["yes", "no"] : Object.keys(criteria);
  const times = (option: string): number => decisions.filter(({ truth }) => truth === option).length;
  expect(options.map(times)).toEqual(options.map(() => 40 / options.length));
});

it("a policy stands in the instructions of its cases", () => {
  const { decisions = [] } = kinds.find(({ kind }) => kind === "policy") ?? {};
  expect(new Set(decisions.map(({ question }) => question.instructions)).size).toBe(5);
  for (const { question } of decisions) expect(question.instructions).toMatch(/^Is this allowed\? Policy: [A-Z]/u);
});
