import { expect, it } from "vitest";
import { BIASES, NOTHING } from "../../../../src/library/lessons/fit/candidates.ts";
import { Pauses } from "../../../../src/library/lessons/fit/pauses.ts";
import { poolOf } from "../../../../src/library/lessons/fit/pool.ts";
import { toTable } from "../../../../src/library/lessons/fit/to-table.ts";

const PAUSES = new Pauses(undefined);
const rowOf = (i: number, answer: number, features?: Float32Array): Parameters<typeof toTable>[0][number] => ({
  text: String(i),
  answer,
  probabilities: Float64Array.of(0.85, 0.15),
  features,
});

it("a head says as much as held-out answers show: logits are mixed by weight and divided by a temperature", async () => {
  const { table } = await toTable(
    Array.from({ length: 4000 }, (_, i) => rowOf(i, i % 4 === 0 ? 1 : 0)),
    [0, 1],
    PAUSES,
  );
  const heldOut = table.base.slice();
  const all = { heldOut, logLikelihood: 0 };
  const pool = await poolOf(
    table,
    [
      { ...all, candidate: NOTHING, weight: 0.75, parameters: Float64Array.of(1, 0, 0) },
      { ...all, candidate: BIASES, weight: 0.25, parameters: Float64Array.of(2, 0.4, -0.4) },
    ],
    PAUSES,
  );
  // Three of four are right where 0.85 was said; of 0.5, 0.55, ... 2 the temperature 1.6 makes it most nearly 0.75.
  expect(pool.learned).toBe("nothing");
  expect(pool.scale).toBeCloseTo(1.25 / 1.6, 10);
  expect([...pool.biases]).toEqual([expect.closeTo(0.1 / 1.6, 10), expect.closeTo(-0.1 / 1.6, 10)]);
  expect((pool.heldOut[0] ?? 0) - (pool.heldOut[1] ?? 0)).toBeCloseTo(Math.log(0.85 / 0.15) / 1.6, 10);
});

it("a few examples do not make a head surer, or less sure", async () => {
  const { table } = await toTable(
    [0, 0, 0, 1].map((answer, i) => rowOf(i, answer)),
    [0, 1],
    PAUSES,
  );
  const untaught = { heldOut: table.base.slice(), logLikelihood: 0, candidate: NOTHING, weight: 1, parameters: Float64Array.of(1, 0, 0) };
  const { scale } = await poolOf(table, [untaught], PAUSES);
  expect(scale).toBeCloseTo(1 / 1.1, 10);
});

it("a table's features are less their mean, and of the same length for any model", async () => {
  const x = [Float32Array.of(1, 0), Float32Array.of(3, 0), Float32Array.of(2, 3)];
  const { table, mean } = await toTable(
    x.map((features, i) => rowOf(i, i % 2, features)),
    [0, 1],
    PAUSES,
  );
  expect(mean).toEqual(Float32Array.of(2, 1));
  const { width = 0, values = new Float64Array() } = table.features ?? {};
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  expect(squares / 3).toBeCloseTo(1.3, 10);
  const weights = Float64Array.from({ length: width }, (_, d) => d + 1);
  const byFeature = (await table.features?.toFeatures(weights, 1, PAUSES)) ?? [];
  for (const [row, features] of x.entries()) {
    const own = weights.reduce((sum, weight, d) => sum + weight * (values[row * width + d] ?? 0), 0);
    expect((byFeature[0] ?? 0) * ((features[0] ?? 0) - 2) + (byFeature[1] ?? 0) * ((features[1] ?? 0) - 1)).toBeCloseTo(own, 10);
  }
});
