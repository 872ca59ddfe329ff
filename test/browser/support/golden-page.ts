import type { DecideResponse } from "umpire";
import type { Page } from "playwright-core";
import { afterAll } from "vitest";
import { comparedWith } from "../../support/golden.ts";
import type { Compared, GoldenCase } from "../../support/golden.ts";
import { launchChromium } from "./chromium.ts";
import { openPage } from "./page.ts";
import { Site } from "./site.ts";
import type { DeciderOptions } from "umpire";

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

export const NOTHING: DecideResponse = { model: "", answers: {}, usage: { input_tokens: 0, output_tokens: 0 } };

export interface Asked {
  readonly answers: readonly Compared[];
  readonly responses: readonly DecideResponse[];
  readonly info: { readonly device: string; readonly precision: string; readonly threads: number };
}

/**
 * A page of a kind, in a browser of its own, which is closed after the last test.
 * @param kind `pack`: a folder that its site has at /pack/
 */
export async function openIn(kind: { isolated: boolean; webgpu: boolean; pack?: string }): Promise<Page> {
  const browser = await launchChromium({ webgpu: kind.webgpu });
  const site = await Site.start({ isolated: kind.isolated });
  closing.push(
    () => browser.close(),
    () => site.close(),
  );
  if (kind.pack !== undefined) await site.serve("/pack/", kind.pack);
  return openPage(browser, site);
}

/** What a decider of the page answers to golden cases. */
export async function asked(page: Page, options: DeciderOptions, cases: readonly GoldenCase[]): Promise<Asked> {
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
