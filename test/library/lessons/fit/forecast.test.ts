import { describe, expect, it } from "vitest";
import { Yielder } from "../../../../src/library/async/signals.ts";
import { parseQuestion } from "../../../../src/library/decide/request.ts";
import { toOutOfFold } from "../../../../src/library/lessons/fit-lesson.ts";
import { adviceOf, forecastOf } from "../../../../src/library/lessons/fit/forecast.ts";
import type { Row } from "../../../../src/library/lessons/read-examples.ts";
import { numberFor } from "../../../support/fake-engine.ts";
import { COLOURS } from "../synthetic-reader.ts";

/** Rows of an even model, whose features tell the answer through so much noise. */
function rowsOf(count: number, noise: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const answer = index % 3;
    const features = Float32Array.from({ length: 12 }, (_, d) => noise * (numberFor(`row ${index}`, d) - 0.5) + Number(d === answer));
    return { index, text: String(index).padStart(16, "0"), answer, probabilities: Float64Array.of(0.34, 0.33, 0.33), features };
  });
}

const gainOf = (low: number, high: number): { examples: number; gain: { value: number; low: number; high: number } } => ({
  examples: 400,
  gain: { value: (low + high) / 2, low, high },
});

describe("a forecast", () => {
  it("is of a gain where features tell the answers, and of hardly any where nothing does", async () => {
    const question = parseQuestion(COLOURS);
    const forecasts = await Promise.all(
      [1, 1e4].map(async (noise) => {
        const rows = rowsOf(300, noise);
        const now = rows.map((row) => toOutOfFold(row, row.probabilities));
        return forecastOf(rows, question, now, new Yielder(undefined));
      }),
    );
    const [clear, hidden] = forecasts.map((forecast) => forecast[1]);
    expect(clear).toMatchObject({ examples: 1200 });
    expect(clear?.gain.low).toBeGreaterThan(0.4);
    expect(hidden?.gain.low).toBeLessThan(0);
  });

  it.each([
    [gainOf(0.01, 0.1), "More examples would probably help."],
    [gainOf(-0.05, 0.02), "More of them would hardly help: the texts do not decide it"],
    [gainOf(-0.05, 0.1), "Whether more would help cannot be told from so few."],
  ])("becomes advice", (forecast, advice) => {
    expect(adviceOf(100, [forecast])).toContain(advice);
  });
});
