import { createDecider } from "umpire";
import type { Answer, DecideRequest, DeciderOptions } from "umpire";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { makeTokenize } from "../src/engine/tokenize.ts";
import type { Issue } from "../src/errors.ts";
import { renderText } from "../src/text.ts";
import { PACKAGE_ROOT, PACK_URL } from "./support/package-root.ts";

/**
 * Requests and what the Python reference (fp32) answered them, as models/training/golden wrote them. A noul's probabilities are that of yes
 * alone; a choice's and a score's stand in the order of the criteria.
 */
interface Golden {
  readonly madeWith: Readonly<Record<string, string>>;
  readonly cases: readonly GoldenCase[];
}

interface GoldenCase {
  readonly name: string;
  readonly request: DecideRequest;
  readonly stateTokens: number;
  /** Of short states. */
  readonly stateTokenIds?: readonly number[];
  readonly answers: Readonly<Record<string, { readonly probabilities: readonly number[] }>>;
}

const read = async (url: URL): Promise<unknown> => JSON.parse(await readFile(url, "utf8"));
const golden = (await read(new URL("test/golden/umpire-2.json", PACKAGE_ROOT))) as Golden;

/** An answer beside the reference's: probabilities in the criteria's order. */
interface Compared {
  readonly place: string;
  readonly found: readonly number[];
  readonly expected: readonly number[];
}

const probabilitiesOf = (answer: Answer | undefined): readonly number[] =>
  answer === undefined ? [] : answer.type === "noul" ? [answer.noul] : Object.values(answer.probabilities);

async function compared(options: DeciderOptions): Promise<Compared[]> {
  await using decider = await createDecider(options);
  const all: Compared[] = [];
  for (const { name, request, answers: expected } of golden.cases) {
    const { answers } = await decider.decide(request);
    expect(Object.keys(answers)).toEqual(Object.keys(expected));
    for (const [id, answer] of Object.entries(expected)) {
      all.push({ place: `${name}: ${id}`, found: probabilitiesOf(answers[id]), expected: answer.probabilities });
    }
  }
  return all;
}

const difference = ({ found, expected }: Compared): number =>
  found.length === expected.length ? Math.max(...found.map((p, i) => Math.abs(p - (expected[i] ?? NaN)))) : NaN;

/** Yes or no of a noul, the likeliest of the others; what is within a rounding error of a tie is both. */
const sameDecision = ({ found, expected }: Compared): boolean => {
  if (expected.length === 1) return (found[0] ?? NaN) > 0.5 === (expected[0] ?? NaN) > 0.5;
  const decided = found.indexOf(Math.max(...found));
  return Math.max(...expected) - (expected[decided] ?? NaN) < 1e-6;
};

describe("the golden vectors", () => {
  it("are those of this pack's weights", async () => {
    const { files } = (await read(new URL("manifest.json", PACK_URL))) as { files: Record<string, { sha256: string }> };
    expect(golden.madeWith["weightsSha256"]).toBe(files["weights.bin"]?.sha256);
    expect(golden.madeWith["torch"]).toMatch(/^\d/);
  });

  it("are 60 requests or more, of all types, of many windows, and of 2 to 255 options", () => {
    const questions = golden.cases.flatMap(({ request }) => Object.values(request.questions));
    const options = questions.map(({ criteria }) => Object.keys(criteria ?? {}).length);
    expect(golden.cases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(["choice", "noul", "score"]));
    expect(Math.max(...options)).toBe(255);
    expect(options).toContain(2);
    expect(Math.max(...golden.cases.map(({ stateTokens }) => stateTokens))).toBeGreaterThan(10 * 382);
  });

  it("hold the tokens of their states: the tokenizer is the reference's", async () => {
    const tokenize = makeTokenize(await read(new URL("tokenizer.json", PACK_URL)));
    for (const { name, request, stateTokens, stateTokenIds } of golden.cases) {
      const issues: Issue[] = [];
      const ids = tokenize(renderText(request.state, [], issues));
      expect(issues).toEqual([]);
      expect([name, ids.length]).toEqual([name, stateTokens]);
      if (stateTokenIds !== undefined) expect([name, ids]).toEqual([name, stateTokenIds]);
    }
  });

  it("are answered in fp32 within 1e-5 of every probability", { timeout: 300_000 }, async () => {
    const answers = await compared({ precision: "fp32" });
    expect(answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
  });

  it(
    "are answered in int8 within 0.06, 0.01 on average, and with the same decision in 96% of all questions",
    { timeout: 300_000 },
    async () => {
      const answers = await compared({ precision: "int8" });
      const differences = answers.map(difference);
      expect(answers.filter((answer) => !(difference(answer) <= 0.06))).toEqual([]);
      expect(differences.reduce((a, b) => a + b, 0) / differences.length).toBeLessThan(0.01);
      const same = answers.filter(sameDecision).length / answers.length;
      expect(same).toBeGreaterThanOrEqual(0.96);
    },
  );
});
