import { createDecider } from "umpire";
import type { DecideResponse, DeciderOptions } from "umpire";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comparedWith, difference, golden, mean, probabilitiesOf, sameDecision, share } from "../support/golden.ts";
import type { Compared, GoldenCase } from "../support/golden.ts";
import { launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/page.ts";
import { Site } from "./support/site.ts";

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const NOTHING: DecideResponse = { model: "", answers: {}, usage: { input_tokens: 0, output_tokens: 0 } };

interface Asked {
  readonly answers: readonly Compared[];
  readonly responses: readonly DecideResponse[];
  readonly info: { readonly device: string; readonly precision: string; readonly threads: number };
}

async function openIn(kind: { isolated: boolean; webgpu: boolean }): Promise<Page> {
  const browser = await launchChromium({ webgpu: kind.webgpu });
  const site = await Site.start({ isolated: kind.isolated });
  closing.push(
    () => browser.close(),
    () => site.close(),
  );
  return openPage(browser, site);
}

async function asked(page: Page, options: DeciderOptions, cases: readonly GoldenCase[]): Promise<Asked> {
  // As JSON text: keys such as __proto__ do not cross as objects.
  const requests = cases.map(({ request }) => JSON.stringify(request));
  const text = await page.evaluate(
    async ({ options, requests }) => {
      const decider = await umpire.createDecider(options);
      const responses = [];
      for (const request of requests) responses.push(await decider.decide(JSON.parse(request) as Parameters<typeof decider.decide>[0]));
      const { device, precision, threads } = await decider.info();
      await decider.close();
      return JSON.stringify({ responses, info: { device, precision, threads } });
    },
    { options, requests },
  );
  const { responses, info } = JSON.parse(text) as Pick<Asked, "responses" | "info">;
  const answers = cases.flatMap((goldenCase, i) => comparedWith(goldenCase, responses[i] ?? NOTHING));
  return { answers, responses, info };
}

const shorterThan = (tokens: number): GoldenCase[] => golden.cases.filter(({ stateTokens }) => stateTokens < tokens);

/** What follows a long state costs as much as the state, question by question. */
function withOneQuestion(goldenCase: GoldenCase): GoldenCase {
  const first = <V>(all: Readonly<Record<string, V>>): Record<string, V> => Object.fromEntries(Object.entries(all).slice(0, 1));
  const { request, answers } = goldenCase;
  return { ...goldenCase, request: { ...request, questions: first(request.questions) }, answers: first(answers) };
}

describe("the golden vectors, in Chromium", () => {
  /** Node's answers, by case. */
  const node = new Map<GoldenCase, DecideResponse>();
  beforeAll(async () => {
    await using decider = await createDecider();
    for (const goldenCase of golden.cases) node.set(goldenCase, await decider.decide(goldenCase.request));
  });

  describe.each([
    // But for the two longest states, which take one thread as long as all others.
    ["on wasm with one thread, in a page that is not cross-origin isolated", false, 1, shorterThan(3001)],
    ["on wasm with two threads", true, 2, golden.cases],
  ])("%s", (_, isolated, threads, cases) => {
    let int8: Asked;
    let page: Page;
    beforeAll(async () => {
      page = await openIn({ isolated, webgpu: false });
      int8 = await asked(page, { device: "wasm", threads: 2 }, cases);
    }, 300_000);

    it("are answered in int8 within 0.06 of the reference, 0.01 on average, and with its decision in 96% of all questions", () => {
      expect(int8.info).toEqual({ device: "wasm", precision: "int8", threads });
      expect(int8.answers.filter((answer) => !(difference(answer) <= 0.06))).toEqual([]);
      expect(mean(int8.answers.map(difference))).toBeLessThan(0.01);
      expect(share(int8.answers, sameDecision)).toBeGreaterThanOrEqual(0.96);
    });

    it("are answered in int8 as on Node: within 0.03, 0.003 on average, with the same decision in 99.5% and the same tokens counted", () => {
      const asOnNode = cases.flatMap((goldenCase, i) => {
        const answers = Object.entries(node.get(goldenCase)?.answers ?? {}).map(
          ([id, answer]) => [id, { probabilities: probabilitiesOf(answer) }] as const,
        );
        return comparedWith({ ...goldenCase, answers: Object.fromEntries(answers) }, int8.responses[i] ?? NOTHING);
      });
      expect(asOnNode.filter((answer) => !(difference(answer) <= 0.03))).toEqual([]);
      expect(mean(asOnNode.map(difference))).toBeLessThan(0.003);
      expect(share(asOnNode, sameDecision)).toBeGreaterThanOrEqual(0.995);
      expect(int8.responses.map(({ usage }) => usage.input_tokens)).toEqual(
        cases.map((goldenCase) => node.get(goldenCase)?.usage.input_tokens),
      );
      expect(asOnNode.length).toBeGreaterThan(280);
    });

    it("are answered in fp32 within 1e-5 of every probability", { timeout: 300_000 }, async () => {
      const fp32 = await asked(page, { device: "wasm", threads: 2, precision: "fp32" }, shorterThan(400));
      expect(fp32.info).toEqual({ device: "wasm", precision: "fp32", threads });
      expect(fp32.answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
    });
  });

  // A software adapter takes seconds for what a GPU does in milliseconds: some of the short ones, and one of two windows.
  it("on WebGPU are answered within 1e-4 of every probability", { timeout: 600_000 }, async () => {
    const some = ["one word", "irony"];
    const cases = [
      ...golden.cases.filter(({ name }) => some.includes(name)),
      ...golden.cases.filter(({ stateTokens }) => stateTokens === 383).map(withOneQuestion),
    ];
    const page = await openIn({ isolated: true, webgpu: true });
    const { answers, info } = await asked(page, { device: "webgpu", precision: "fp32" }, cases);
    expect(info).toEqual({ device: "webgpu", precision: "fp32", threads: 1 });
    expect(answers.length).toBeGreaterThanOrEqual(5);
    expect(answers.filter((answer) => !(difference(answer) <= 1e-4))).toEqual([]);
  });
});
