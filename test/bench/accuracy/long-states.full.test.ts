import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { makeBertTokenizer } from "../../../src/library/tokenizer/bert-tokenizer.ts";
import { toWindows } from "../../../src/library/engine/batch.ts";
import { PACK_URL } from "../../support/package-root.ts";
import { load } from "./modules.ts";
import type { Case } from "./modules.ts";

const { longStates } = await load("long-states");
const { tokenize } = makeBertTokenizer(JSON.parse(await readFile(new URL("tokenizer.json", PACK_URL), "utf8")));
const limits = { windowTokens: 384, overlapTokens: 64 };

const WORDS = ["harbour", "seven", "committee", "slowly", "repaired", "the", "yellow", "engine", "before", "noon", "Ms Okoro", "unpaid"];
const sentence = (i: number): string =>
  `${Array.from({ length: 6 + (i % 17) }, (_, k) => WORDS[(i * 7 + k * k) % WORDS.length]).join(" ")}.`;
const articles = Array.from({ length: 60 }, (_, i) =>
  Array.from({ length: 4 }, (_, p) => [0, 1, 2].map((s) => sentence(i * 31 + p * 5 + s)).join(" ")).join("\n\n"),
);
const cases: Case[] = [
  ...Array.from({ length: 12 }, (_, i) => `Text number ${i}: ${"déjà-vu, ".repeat(i * 2)}the end?`),
  { text: "structured" },
].map((state, i) => ({ line: i + 1, state, questions: {}, truths: {} }));
const make = (count: number, seed = 7, around = articles): ReturnType<typeof longStates> =>
  longStates(cases, around, { count, seed, limits, tokenize });

describe("long states", () => {
  it("have their text in the requested window and in no other", () => {
    const { alone, byWindow } = make(8);
    expect(byWindow.map((placed) => placed.length)).toEqual([8, 8, 8, 8]);
    for (const [window, placed] of byWindow.entries()) {
      for (const [i, { state }] of placed.entries()) {
        const whole = String(state);
        const text = String(alone[i]?.state);
        const windows = toWindows(tokenize(whole).length, 382, 64);
        expect(windows).toHaveLength(4);
        const start = tokenize(whole.slice(0, whole.indexOf(text))).length;
        const end = start + tokenize(text).length;
        const reached = windows.map((one, at) => (one.start < end && one.start + one.length > start ? at : -1)).filter((at) => at >= 0);
        expect(reached).toEqual([window]);
      }
    }
  });

  it("have the same rows and sentences, wherever the text is placed", () => {
    const { alone, byWindow } = make(5);
    const around = byWindow.map((placed) =>
      placed.map(({ state }, i) => String(state).replace(String(alone[i]?.state), "").replaceAll(/\s+/g, " ").trim()),
    );
    for (const others of around.slice(1)) expect(others).toEqual(around[0]);
    expect(new Set(byWindow.flat().map(({ state }) => state)).size).toBe(20);
    expect(byWindow[0]?.map(({ line }) => line)).toEqual(alone.map(({ line }) => line));
  });

  it("are the same only for the same seed, and leave out structured states", () => {
    expect(make(5)).toEqual(make(5));
    expect(make(5)).not.toEqual(make(5, 8));
    expect(make(99).alone).toHaveLength(12);
  });

  it("are refused if there is too little surrounding text", () => {
    expect(() => make(1, 7, ["One sentence."])).toThrow(/too little text/);
  });
});
