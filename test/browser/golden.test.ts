import { createDecider } from "umpire";
import type { DecideResponse } from "umpire";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { comparedWith, difference, golden, mean, probabilitiesOf, sameDecision, share } from "../support/golden.ts";
import type { GoldenCase } from "../support/golden.ts";
import { asked, NOTHING, openIn } from "./support/golden-page.ts";
import type { Asked } from "./support/golden-page.ts";

const shorterThan = (tokens: number): GoldenCase[] => golden.cases.filter(({ stateTokens }) => stateTokens < tokens);
/** Without those of very many options, which take as long as all others. */
const quick = (tokens: number): GoldenCase[] =>
  shorterThan(tokens).filter(({ answers }) => Object.values(answers).every(({ probabilities }) => Object.keys(probabilities).length <= 20));

/** Tokens. Longer states take as long as all others together, and only have more windows. */
const LONG = 800;

describe("the golden vectors, in Chromium", () => {
  /** Node's answer to each case. */
  const node = new Map<GoldenCase, DecideResponse>();
  beforeAll(async () => {
    await using decider = await createDecider();
    for (const goldenCase of shorterThan(LONG)) node.set(goldenCase, await decider.decide(goldenCase.request));
  });

  describe.each([
    ["on wasm with one thread, in a page that is not cross-origin isolated", false, 1, shorterThan(400), quick(60)],
    ["on wasm with two threads", true, 2, shorterThan(LONG), quick(20)],
  ])("%s", (_, isolated, threads, cases, fp32Cases) => {
    let int8: Asked;
    let page: Page;
    beforeAll(async () => {
      page = await openIn({ isolated, webgpu: false });
      int8 = await asked(page, { device: "wasm", threads: 2 }, cases);
    }, 300_000);

    it("are answered in int8 within 0.06 of the reference, 0.01 on average, with the same decision in 96% of all questions", () => {
      expect(int8.info).toEqual({ device: "wasm", precision: "int8", threads });
      expect(int8.answers.filter((answer) => !(difference(answer) <= 0.06))).toEqual([]);
      expect(mean(int8.answers.map(difference))).toBeLessThan(0.01);
      expect(share(int8.answers, sameDecision)).toBeGreaterThanOrEqual(0.96);
    });

    it("are answered in int8 within 0.03 of Node, 0.003 on average, with the same decision in 99% and the same token counts", () => {
      const asOnNode = cases.flatMap((goldenCase, i) => {
        const answers = Object.entries(node.get(goldenCase)?.answers ?? {}).map(
          ([id, answer]) => [id, { probabilities: probabilitiesOf(answer) }] as const,
        );
        return comparedWith({ ...goldenCase, answers: Object.fromEntries(answers) }, int8.responses[i] ?? NOTHING);
      });
      expect(asOnNode.filter((answer) => !(difference(answer) <= 0.03))).toEqual([]);
      expect(mean(asOnNode.map(difference))).toBeLessThan(0.003);
      expect(share(asOnNode, sameDecision)).toBeGreaterThanOrEqual(0.99);
      expect(int8.responses.map(({ usage }) => usage.input_tokens)).toEqual(
        cases.map((goldenCase) => node.get(goldenCase)?.usage.input_tokens),
      );
      expect(asOnNode.length).toBeGreaterThan(265);
    });

    it("are answered in fp32 within 1e-5 of every probability", { timeout: 300_000 }, async () => {
      const fp32 = await asked(page, { device: "wasm", threads: 2, precision: "fp32" }, fp32Cases);
      expect(fp32.answers.length).toBeGreaterThan(30);
      expect(fp32.info).toEqual({ device: "wasm", precision: "fp32", threads });
      expect(fp32.answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
    });
  });
});
