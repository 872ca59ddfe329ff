import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { difference, mean } from "../support/golden.ts";
import { relativeGolden, relativePack } from "../support/relative-pack.ts";
import { asked, openIn } from "./support/golden-page.ts";

const { cases } = relativeGolden;
const MODEL = "/pack/";

describe("the golden vectors of a tiny model with relative positions, in Chromium", () => {
  let pack: string;
  beforeAll(async () => {
    pack = fileURLToPath(await relativePack());
  });

  it.each([
    ["one thread, in a page that is not cross-origin isolated", false, 1],
    ["two threads", true, 2],
  ])("are answered on wasm with %s", async (_, isolated, threads) => {
    const page = await openIn({ isolated, webgpu: false, pack });
    const fp32 = await asked(page, { model: MODEL, device: "wasm", threads: 2, precision: "fp32" }, cases);
    expect(fp32.info).toEqual({ device: "wasm", precision: "fp32", threads });
    expect(fp32.responses.map(({ model }) => model)).toEqual(cases.map(() => "relative"));
    expect(fp32.answers.length).toBeGreaterThan(12);
    expect(fp32.answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
    const int8 = await asked(page, { model: MODEL, device: "wasm", threads: 2 }, cases);
    expect(int8.info).toEqual({ device: "wasm", precision: "int8", threads });
    expect(mean(int8.answers.map(difference))).toBeLessThan(0.03);
    expect(mean(int8.answers.map(difference))).toBeGreaterThan(0);
  });

  it("are answered on WebGPU, in fp32, within 1e-4 of every probability", { timeout: 600_000 }, async () => {
    const page = await openIn({ isolated: true, webgpu: true, pack });
    const { answers, info } = await asked(page, { model: MODEL, device: "webgpu", precision: "fp32" }, cases);
    expect(info).toEqual({ device: "webgpu", precision: "fp32", threads: 1 });
    expect(answers.length).toBeGreaterThan(12);
    expect(answers.filter((answer) => !(difference(answer) <= 1e-4))).toEqual([]);
  });
});
