import { createDecider } from "umpire";
import type { DeciderOptions } from "umpire";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { makeTokenizer } from "../src/engine/families/shared-premise/tokenizer.ts";
import type { Issue } from "../src/errors.ts";
import { Field } from "../src/validation/field.ts";
import { renderText } from "../src/decide/text.ts";
import { LONGEST_QUICK_TOKENS, comparedWith, difference, golden, mean, sameDecision, share } from "./support/golden.ts";
import type { Compared } from "./support/golden.ts";
import { PACK_URL } from "./support/package-root.ts";

const read = async (url: URL): Promise<unknown> => JSON.parse(await readFile(url, "utf8"));

async function compared(options: DeciderOptions, longestTokens: number): Promise<Compared[]> {
  await using decider = await createDecider({ threads: 1, ...options });
  const all: Compared[] = [];
  for (const goldenCase of golden.cases.filter(({ stateTokens }) => stateTokens <= longestTokens)) {
    const response = await decider.decide(goldenCase.request);
    expect(Object.keys(response.answers)).toEqual(Object.keys(goldenCase.answers));
    all.push(...comparedWith(goldenCase, response));
  }
  return all;
}

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
    const { tokenize } = makeTokenizer(await read(new URL("tokenizer.json", PACK_URL)));
    for (const { name, request, stateTokens, stateTokenIds } of golden.cases) {
      const issues: Issue[] = [];
      const ids = tokenize(renderText(new Field(request.state, [], issues)));
      expect(issues).toEqual([]);
      expect([name, ids.length]).toEqual([name, stateTokens]);
      if (stateTokenIds !== undefined) expect([name, ids]).toEqual([name, stateTokenIds]);
    }
  });

  // test/soak asks cpu about longer states, test/install wasm, which takes several times as long.
  it("are answered in fp32 within 1e-5 of every probability", async () => {
    const answers = await compared({ precision: "fp32" }, LONGEST_QUICK_TOKENS);
    expect(answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
  });

  it.each([
    ["cpu", LONGEST_QUICK_TOKENS],
    ["wasm", 100],
  ] as const)(
    "are answered on %s in int8 within 0.06, 0.01 on average, and with the same decision in 96% of all questions",
    async (device, longestTokens) => {
      const answers = await compared({ device, precision: "int8" }, longestTokens);
      expect(answers.length).toBeGreaterThan(40);
      expect(answers.filter((answer) => !(difference(answer) <= 0.06))).toEqual([]);
      expect(mean(answers.map(difference))).toBeLessThan(0.01);
      expect(share(answers, sameDecision)).toBeGreaterThanOrEqual(0.96);
    },
  );
});
