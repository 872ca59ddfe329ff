import { describe, expect, it } from "vitest";
import { readLesson } from "../../../src/library/lessons/read-lesson.ts";
import { idOf, sealOf } from "../../../src/library/lessons/lesson-format.ts";
import { teach } from "../../../src/library/lessons/teach.ts";
import type { Lesson } from "../../../src/library/lessons/lesson.ts";
import { thresholdFor } from "../../../src/library/statistics/curves.ts";
import { decideError } from "../../support/rejection.ts";
import { COLOURS, coloured, syntheticReader } from "./synthetic-reader.ts";

const LESSON = await teach(COLOURS, coloured(30), syntheticReader(), {});

type Loose = Record<string, unknown>;

/** The lesson with a change deep inside, and a seal that fits it: what a program could write that is not ours. */
async function resealed(change: (lesson: Loose) => void): Promise<unknown> {
  const lesson = structuredClone(LESSON) as unknown as Loose;
  change(lesson);
  const seal = await sealOf(lesson as unknown as Lesson);
  return { ...lesson, id: idOf(seal), sha256: seal };
}

/** Sets a value at a path such as `head.features.size`. */
function set(lesson: Loose, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  const holder = names.reduce<Loose>((inner, name) => inner[name] as Loose, lesson);
  holder[last] = value;
}

describe("readLesson", () => {
  it("reads a lesson, also one that went through a file", async () => {
    const { lesson, question, taught } = await readLesson(JSON.parse(JSON.stringify(LESSON, undefined, 2)));
    expect(lesson).toEqual(LESSON);
    expect(taught.id).toMatch(/^lesson-[0-9a-f]{16}$/);
    expect(question.instructions).toBe("Which colour?");
    expect(taught.thresholdFor(0.2)).toBe(thresholdFor(LESSON.risk, 0.2));
  });

  it("is a copy: later changes to what was given have no effect", async () => {
    const given = structuredClone(LESSON) as { id: string };
    const { lesson } = await readLesson(given);
    given.id = "other";
    expect(lesson.id).toBe(LESSON.id);
  });

  it.each([
    ["a text", JSON.stringify(LESSON), /must be an object, but is a string of \d+ characters\. Give what JSON.parse makes/],
    ["nothing", undefined, /must be an object, but is nothing/],
    ["null", null, /must be an object with umpire_lesson: 1, as teach\(\) makes it, but is null/],
    ["an array", [], /but is an array of 0/],
    ["another object", { type: "noul" }, /but is an object with 1 key/],
    ["a number that JSON has not", { umpire_lesson: 1n }, /must be plain JSON, as teach\(\) makes it, but cannot be read/],
    [
      "a newer format",
      { ...LESSON, umpire_lesson: 2 },
      /its format is 2, and this version of umpire knows formats up to 1\. Update umpire, or teach it again/,
    ],
  ])("refuses %s", async (_, value, message) => {
    const error = await decideError(() => readLesson(value));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^The lesson is not valid: /);
  });

  it.each<[string, (lesson: Lesson) => unknown]>([
    ["a bias", (lesson) => ({ ...lesson, head: { ...lesson.head, biases: lesson.head.biases.map((bias) => bias + 0.1) } })],
    ["the question", (lesson) => ({ ...lesson, question: { ...lesson.question, instructions: "Another?" } })],
    ["a figure of the report", (lesson) => ({ ...lesson, report: { ...lesson.report, learned: "biases" } })],
    ["its id", (lesson) => ({ ...lesson, id: "lesson-0000000000000000" })],
    ["the model", (lesson) => ({ ...lesson, model: { ...lesson.model, id: "umpire-9" } })],
    [
      "the order of options",
      ({ question, ...lesson }) => ({ ...lesson, question: { ...question, criteria: { blue: null, green: null, red: null } } }),
    ],
  ])("refuses a lesson that was edited: %s", async (_, edit) => {
    const error = await decideError(() => readLesson(edit(LESSON)));
    expect(error.message).toMatch(/it was changed after it was taught/);
  });

  it("does not mind the order of what is suspicious: it names examples by the order in which they came", async () => {
    const edited = { ...LESSON, report: { ...LESSON.report, suspicious: [{ index: 3, answer: "red", probability: 0.9 }] } };
    await expect(readLesson(edited)).resolves.toBeDefined();
  });

  it.each<[string, unknown, string]>([
    ["head", undefined, "head.scale is missing: it must be a finite number"],
    ["head.scale", null, "head.scale must be a finite number, but is null"],
    ["head.biases", [1, 2], "head.biases must be an array of 3 finite numbers, but is an array of 2"],
    ["head.biases", [1, 2, "3"], "head.biases must be an array of 3 finite numbers"],
    ["head.features.size", 5, "head.features.mean must be the Base64 of 5 finite float32 values"],
    ["head.features.size", 1e9, "head.features.size must be a whole number from 1 to 65536"],
    ["head.features.mean", "AAAA", "head.features.mean must be the Base64 of 6 finite float32 values, but is a string of 4 characters"],
    ["head.features.mean", "!".repeat(32), "head.features.mean must be the Base64 of 6"],
    // Not a number, six times.
    ["head.features.mean", btoa("\0\0\xc0\x7f".repeat(6)), "head.features.mean must be the Base64 of 6 finite float32 values"],
    ["accuracy.slope", 0, "accuracy.slope must be a number above 0, but is 0"],
    ["accuracy", 5, "accuracy.slope is missing"],
    ["risk", {}, "risk must be an array of points"],
    [
      "risk",
      Array.from({ length: 65 }, (_, i) => ({ probability: 1 - i / 100, answers: i + 1, errors: 0 })),
      "risk must hold at most 64 points",
    ],
    ["risk", [{ probability: 0.5, answers: 4, errors: 5 }], "risk must have descending probabilities and ascending counts"],
    ["risk", [{ probability: 2, answers: 4, errors: 0 }], "risk.0.probability must be a number above 0, at most 1, but is 2"],
    [
      "risk",
      [
        { probability: 0.5, answers: 4, errors: 0 },
        { probability: 0.6, answers: 5, errors: 0 },
      ],
      "risk must have descending",
    ],
    ["model.seal", "abc", "model.seal must be 64 lower-case hexadecimal digits"],
    ["model", null, "model.seal is missing"],
    ["question", undefined, "The question is not valid: question is missing"],
    ["question.criteria", { one: null }, "The question is not valid: question: criteria must hold at least 2 options"],
    ["report", undefined, "report.before.accuracy.value is missing"],
    ["report.confusion", [[1, 2], [1], [0, 0, 0]], "report.confusion.0 must be an array of 3 finite numbers"],
    ["examples.answered", -1, "examples.answered must be a whole number, 0 or more"],
  ])("refuses a lesson with a seal that fits, but whose %s does not", async (path, value, message) => {
    const damaged = await resealed((lesson) => {
      set(lesson, path, value);
    });
    const error = await decideError(() => readLesson(damaged));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain(message);
    expect(error.issues?.[0]?.loc[0]).toBe("lesson");
  });
});
