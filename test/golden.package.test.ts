import { createDecider } from "umpire";
import type { DeciderOptions } from "umpire";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { makeBertTokenizer } from "../src/library/tokenizer/bert-tokenizer.ts";
import type { Issue } from "../src/errors.ts";
import { Field } from "../src/library/validation/field.ts";
import { renderText } from "../src/library/decide/questions/question-kind.ts";
import { LONGEST_QUICK_TOKENS, comparedWith, difference, golden, mean, sameDecision, share } from "./support/golden.ts";
import type { Compared, GoldenCase } from "./support/golden.ts";
import { PACK_URL } from "./support/package-root.ts";

const read = async (url: URL): Promise<unknown> => JSON.parse(await readFile(url, "utf8"));

async function compared(options: DeciderOptions, cases: readonly GoldenCase[]): Promise<Compared[]> {
  await using decider = await createDecider({ threads: 1, ...options });
  const all: Compared[] = [];
  for (const goldenCase of cases) {
    const response = await decider.decide(goldenCase.request);
    expect(Object.keys(response.answers)).toEqual(Object.keys(goldenCase.answers));
    all.push(...comparedWith(goldenCase, response));
  }
  return all;
}

/** The requests whose states have so many tokens, or fewer. */
const upTo = (tokens: number): readonly GoldenCase[] => golden.cases.filter(({ stateTokens }) => stateTokens <= tokens);

describe("the golden vectors", () => {
  it("belong to this pack's weights", async () => {
    const { files } = (await read(new URL("manifest.json", PACK_URL))) as { files: Record<string, { sha256: string }> };
    expect(golden.madeWith["weightsSha256"]).toBe(files["weights.bin"]?.sha256);
    expect(golden.madeWith["torch"]).toMatch(/^\d/);
  });

  it("are at least 60 requests, with all types, up to many windows, and 2 to 255 options", () => {
    const questions = golden.cases.flatMap(({ request }) => Object.values(request.questions));
    const options = questions.map(({ criteria }) => Object.keys(criteria ?? {}).length);
    expect(golden.cases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(["choice", "noul", "score"]));
    expect(Math.max(...options)).toBe(255);
    expect(options).toContain(2);
    expect(Math.max(...golden.cases.map(({ stateTokens }) => stateTokens))).toBeGreaterThan(10 * 382);
  });

  it("match the tokenizer's tokens of their states", async () => {
    const { tokenize } = makeBertTokenizer(await read(new URL("tokenizer.json", PACK_URL)));
    for (const { name, request, stateTokens, stateTokenIds } of golden.cases) {
      const issues: Issue[] = [];
      const ids = tokenize(renderText(new Field(request.state, [], issues)));
      expect(issues).toEqual([]);
      expect([name, ids.length]).toEqual([name, stateTokens]);
      if (stateTokenIds !== undefined) expect([name, ids]).toEqual([name, stateTokenIds]);
    }
  });

  it("are answered on cpu in int8 within 0.06, 0.01 on average, and with the same decision in 96% of all questions", async () => {
    const answers = await compared({ precision: "int8" }, upTo(LONGEST_QUICK_TOKENS));
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter((answer) => !(difference(answer) <= 0.06))).toEqual([]);
    expect(mean(answers.map(difference))).toBeLessThan(0.01);
    expect(share(answers, sameDecision)).toBeGreaterThanOrEqual(0.96);
  });

  // The others, in fp32 and on wasm, take several times as long: test/soak asks cpu about them, test/install wasm.
  it("are answered on cpu in fp32 within 1e-5 of every probability: some short ones, and all of two and three windows", async () => {
    const cases = [...upTo(100).filter((_, i) => i % 4 === 0), ...upTo(1024).filter(({ stateTokens }) => stateTokens > 382)];
    const answers = await compared({ precision: "fp32" }, cases);
    expect(answers.length).toBeGreaterThan(30);
    expect(answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
  });

  it.each([
    ["int8", 0.06, 0.01],
    ["fp32", 1e-5, 1e-6],
  ] as const)("are answered on wasm in %s within %f, %f on average: some short ones", async (precision, most, average) => {
    const some = upTo(100).filter((_, i) => i % 10 === 3);
    const answers = await compared({ device: "wasm", precision, inline: true }, some);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((answer) => !(difference(answer) <= most))).toEqual([]);
    expect(mean(answers.map(difference))).toBeLessThan(average);
    expect(answers.filter((answer) => !sameDecision(answer))).toEqual([]);
  });
});
