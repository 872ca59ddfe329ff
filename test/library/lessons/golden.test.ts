import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { readLesson } from "../../../src/library/lessons/read-lesson.ts";
import type { Lesson } from "../../../src/library/lessons/lesson.ts";
import { COLOURS, syntheticReader } from "./synthetic-reader.ts";

/** A lesson that an earlier version saved, and its answers. */
const { lesson, answers } = JSON.parse(await readFile(new URL("golden.json", import.meta.url), "utf8")) as {
  readonly lesson: Lesson;
  readonly answers: readonly { readonly state: string; readonly probabilities: readonly number[]; readonly accuracy: number }[];
};

describe("a lesson that an earlier version saved", () => {
  it.each(answers)("answers as it did, bit for bit: $state", async ({ state, probabilities, accuracy }) => {
    const { taught } = await readLesson(lesson);
    const question = parseQuestion(COLOURS);
    const reading = await syntheticReader().read({ model: undefined, state, questions: [question] });
    const p = taught.toProbabilities(question, reading.probabilities, reading.features);
    expect([...p]).toEqual(probabilities);
    expect(taught.accuracyOf(Math.max(...p))).toBe(accuracy);
  });
});
