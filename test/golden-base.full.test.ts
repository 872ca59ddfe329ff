import { createDecider } from "umpire";
import type { DeciderOptions } from "umpire";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { BASE_URL, comparedWith, difference, hasBase, mean, sameDecision, share, shortOfBase } from "./support/golden.ts";
import type { Compared } from "./support/golden.ts";

// Twelve layers round more often than six: int8 is further from fp32 than that of umpire-2, and wasm from cpu.
describe.skipIf(!hasBase)("the golden vectors of the base model", () => {
  async function compared(options: DeciderOptions, most: number): Promise<Compared[]> {
    await using decider = await createDecider({ model: BASE_URL, ...options });
    const all: Compared[] = [];
    for (const one of (await shortOfBase(most)).cases) all.push(...comparedWith(one, await decider.decide(one.request)));
    return all;
  }

  it("belong to its weights", async () => {
    const { files } = JSON.parse(await readFile(new URL("manifest.json", BASE_URL), "utf8")) as {
      files: Record<string, { sha256: string }>;
    };
    expect((await shortOfBase(1)).madeWith["weightsSha256"]).toBe(files["weights.bin"]?.sha256);
  });

  it("are answered on cpu in fp32 within 1e-4 of every probability", async () => {
    const answers = await compared({ device: "cpu", precision: "fp32" }, 10);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((answer) => !(difference(answer) <= 1e-4))).toEqual([]);
  });

  it.each([
    ["cpu", 40],
    ["wasm", 20],
  ] as const)("are answered on %s in int8 within 0.03 on average, and with the same decision in 95 of 100", async (device, most) => {
    const answers = await compared({ device, precision: "int8" }, most);
    expect(answers.length).toBeGreaterThan(most);
    expect(mean(answers.map(difference))).toBeLessThan(0.03);
    expect(share(answers, sameDecision)).toBeGreaterThanOrEqual(0.95);
  });
});
