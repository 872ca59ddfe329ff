import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { argmax } from "../../../src/library/decide/questions/question-kind.ts";
import type { Lesson } from "../../../src/library/lessons/lesson.ts";
import { readLesson } from "../../../src/library/lessons/read-lesson.ts";
import { calibrate, teach } from "../../../src/library/lessons/teach.ts";
import { numberFor } from "../../support/fake-engine.ts";
import { decideError } from "../../support/rejection.ts";
import { COLOURS, coloured, syntheticReader } from "./synthetic-reader.ts";

const READER = syntheticReader();
const RED = { type: "noul", instructions: "Is it red?" } as const;

/** Examples whose answers are drawn as often as logits of scale ln(p), and a bias on the first answer, say. */
async function drawn(question: unknown, count: number, scale: number, bias = 0): Promise<{ state: string; answer: string | boolean }[]> {
  const parsed = parseQuestion(question);
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const state = `thing ${i}`;
      const { probabilities } = await READER.read({ model: undefined, state, questions: [parsed] });
      const weights = Array.from(probabilities, (p, k) => p ** scale * (k === 0 ? Math.exp(bias) : 1));
      let left = numberFor(state, 77) * weights.reduce((a, b) => a + b);
      const k = weights.findIndex((weight) => (left -= weight) < 0);
      const key = parsed.criteria[k]?.key ?? "";
      return { state, answer: parsed.type === "noul" ? key === "true" : key };
    }),
  );
}

const withoutSuspicious = ({ report, ...lesson }: Lesson): unknown => ({ ...lesson, report: { ...report, suspicious: [] } });
const throughJson = (lesson: Lesson): unknown => JSON.parse(JSON.stringify(lesson));

describe("calibrate", () => {
  it("finds how sure answers should be, and the more of it the more examples there are", async () => {
    const [few, many] = await Promise.all([30, 2000].map(async (count) => calibrate(COLOURS, await drawn(COLOURS, count, 3), READER, {})));
    expect(many?.head.scale).toBeCloseTo(3, 0);
    expect(few?.head.scale).toBeGreaterThan(1);
    expect(few?.head.scale).toBeLessThan(many?.head.scale ?? 0);
    expect(many?.head.biases).toEqual([0, 0, 0]);
    expect(many?.report.after.logLoss.value).toBeLessThan(many?.report.before.logLoss.value ?? 0);
    expect(many?.report.after.accuracy).toEqual(many?.report.before.accuracy);
    expect(many).toMatchObject({ umpire_lesson: 1, kind: "calibration", report: { learned: "nothing" } });
  });

  it("finds how often yes is meant, too", async () => {
    const lesson = await calibrate(RED, await drawn(RED, 2000, 1, -1.5), READER, {});
    expect(lesson.head.biases[0]).toBeCloseTo(-1.5, 0);
    expect(lesson.report.after.accuracy.value).toBeGreaterThan(lesson.report.before.accuracy.value + 0.1);
  });

  it("starts from the pack's accuracy curve, which little moves", async () => {
    const curve = { maxOptions: 255, slope: 2, bias: -1 };
    const withCurve = {
      ...READER,
      read: async (...given: Parameters<typeof READER.read>) => {
        const reading = await READER.read(...given);
        return { ...reading, info: { ...reading.info, calibration: { ...reading.info.calibration, accuracy: { choice: [curve] } } } };
      },
    };
    const examples = await drawn(COLOURS, 30, 1);
    const [own, plain] = [await calibrate(COLOURS, examples, withCurve, {}), await calibrate(COLOURS, examples, READER, {})];
    expect(own.accuracy.slope).toBeGreaterThan(plain.accuracy.slope + 0.5);
  });

  it("answers a choice as before, whatever the probabilities; they sum to 1", async () => {
    const { taught } = await readLesson(throughJson(await calibrate(COLOURS, await drawn(COLOURS, 60, 0.2), READER, {})));
    const question = parseQuestion(COLOURS);
    fc.assert(
      fc.property(fc.tuple(fc.double({ min: 1e-9, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), ([first, rest]) => {
        const p = Float64Array.of(first, (1 - first) * rest, (1 - first) * (1 - rest));
        const after = taught.toProbabilities(question, p, undefined);
        // Differences of rounding may become ties.
        expect(after[argmax(p)]).toBeCloseTo(Math.max(...after), 12);
        expect(after.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      }),
    );
    expect(taught.usesFeatures).toBe(false);
  });

  it("makes the same calibration of the same examples and options in any order, bit for bit", async () => {
    const examples = await drawn(COLOURS, 40, 2);
    const expected = withoutSuspicious(await calibrate(COLOURS, examples, READER, {}));
    expect(withoutSuspicious(await calibrate(COLOURS, examples.toReversed(), READER, {}))).toEqual(expected);
    const other = { ...COLOURS, criteria: { blue: null, red: null, green: null } };
    const { head, accuracy, risk } = await calibrate(other, examples, READER, {});
    expect({ head, accuracy, risk }).toEqual((({ head, accuracy, risk }) => ({ head, accuracy, risk }))(expected as Lesson));
  });

  it("promises an error rate by answers out of fold, if enough of them were right", async () => {
    const examples = await drawn(COLOURS, 300, 12);
    const { lesson } = await readLesson(throughJson(await calibrate(COLOURS, examples, READER, {})));
    expect(lesson.risk.at(-1)?.answers).toBe(300);
  });

  it.each([29, 8])("says that %d examples are too few", async (count) => {
    const { code, message } = await decideError(() => calibrate(COLOURS, coloured(count), READER, {}));
    expect(code).toBe("invalid_request");
    expect(message).toContain(`at least 30 with an answer, but hold ${count}.`);
  });

  it.each([
    ["answers", (i: number) => ({ state: `thing ${i}`, answer: "red" })],
    ["texts", (i: number) => ({ state: "thing", answer: i % 2 === 0 ? "red" : "blue" })],
  ])("refuses examples of one kind: %s", async (_, exampleOf) => {
    const examples = Array.from({ length: 40 }, (_, i) => exampleOf(i));
    expect((await decideError(() => calibrate(COLOURS, examples, READER, {}))).message).toMatch(/have the same (?:answer|text), so/u);
  });
});

describe("teaching where nothing can be learned", () => {
  it("keeps a calibration, and says what more examples would bring", async () => {
    const lesson = await teach(COLOURS, await drawn(COLOURS, 100, 1), READER, {});
    expect(lesson).toMatchObject({ kind: "calibration", report: { learned: "nothing" } });
    expect(lesson.report.forecast?.map(({ examples }) => examples)).toEqual([200, 400]);
    for (const { gain } of lesson.report.forecast ?? []) {
      expect(gain.low).toBeLessThan(gain.value);
      expect(gain.high - gain.value).toBeGreaterThanOrEqual(0.02);
    }
    expect(lesson.report.notes[0]).toMatch(
      /^Nothing was learned from 100 examples\. Right answers in 100 would probably be [+-]\d+ \([+-]\d+ to [+-]\d+\) with 200 and .* with 400\. \w/u,
    );
    await expect(readLesson(throughJson(lesson))).resolves.toMatchObject({ lesson: { kind: "calibration" } });
  });

  it("says of few examples how many would tell, and keeps no calibration of fewer than 30", async () => {
    const [twenty, fifty] = await Promise.all([20, 50].map(async (count) => teach(COLOURS, await drawn(COLOURS, count, 1), READER, {})));
    for (const lesson of [twenty, fifty]) expect(lesson?.report.notes[0]).toMatch(/too few to tell whether more would help: 64 or more/u);
    expect([twenty?.kind, fifty?.kind]).toEqual([undefined, "calibration"]);
  });
});

it("an unknown kind of lesson is refused, with what is known", async () => {
  const lesson = await calibrate(COLOURS, await drawn(COLOURS, 30, 1), READER, {});
  const { message } = await decideError(() => readLesson({ ...lesson, kind: "rule" }));
  expect(message).toMatch(/kind must be "calibration", or absent/u);
});
