import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { BASE_URL, difference, hasBase, mean, sameDecision, share, shortOfBase } from "../support/golden.ts";
import { asked, openIn } from "./support/golden-page.ts";

it.skipIf(!hasBase)(
  "the golden vectors of the base model, in Chromium on wasm, are answered within 0.03 on average",
  { timeout: 300_000 },
  async () => {
    const { cases } = await shortOfBase(15);
    const page = await openIn({ isolated: true, webgpu: false, pack: fileURLToPath(BASE_URL) });
    const { answers, info } = await asked(page, { model: "/pack/", device: "wasm", threads: 2 }, cases);
    expect(info).toEqual({ device: "wasm", precision: "int8", threads: 2 });
    expect(answers.length).toBeGreaterThan(15);
    expect(mean(answers.map(difference))).toBeLessThan(0.03);
    expect(share(answers, sameDecision)).toBeGreaterThanOrEqual(0.95);
  },
);
