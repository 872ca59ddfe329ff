import { describe, expect, it } from "vitest";
import { toCoordinates } from "../../../../src/library/lessons/fit/coordinates.ts";
import { HeadProblem } from "../../../../src/library/lessons/fit/head-problem.ts";
import { Pauses } from "../../../../src/library/lessons/fit/pauses.ts";
import { exactHead } from "../../../../src/library/lessons/fit/search-head.ts";
import { logSoftmaxInPlace } from "../../../../src/library/lessons/fit/softmax.ts";
import type { Table } from "../../../../src/library/lessons/fit/table.ts";

const PAUSES = new Pauses(undefined);

/** Numbers that are the same everywhere; the expected optima are of the same ones, in Python. */
async function tableOf(rows: number, options: number, size: number): Promise<Table> {
  const x = new Float64Array((rows + 1) * size);
  for (let i = 0; i < rows; i++) for (let d = 0; d < size; d++) x[i * size + d] = 0.8 * Math.sin(1.7 * i + 2.3 * d + 0.5);
  for (let d = 0; d < size; d++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += (x[i * size + d] ?? 0) / rows;
    for (let i = 0; i < rows; i++) x[i * size + d] = (x[i * size + d] ?? 0) - mean;
  }
  const base = Float64Array.from(
    { length: rows * options },
    (_, at) => 2 * Math.cos(0.9 * Math.floor(at / options) + 1.3 * (at % options)),
  );
  for (let i = 0; i < rows; i++) logSoftmaxInPlace(base, i * options, options);
  return {
    rows,
    options,
    base,
    answers: Uint32Array.from({ length: rows }, (_, i) => (i * 7 + Math.floor(i / 3)) % options),
    folds: new Uint32Array(rows),
    foldCount: 1,
    features: await toCoordinates(x, rows, size, PAUSES),
  };
}

/** Scale, biases, and weights by feature. */
async function optimumOf(table: Table, weightPenalty: number | undefined): Promise<number[]> {
  const start = new Float64Array(1 + table.options * (1 + (weightPenalty === undefined ? 0 : (table.features?.width ?? 0))));
  start[0] = 1;
  const head = await exactHead(table, weightPenalty, start, PAUSES);
  const weights = (await table.features?.toFeatures(head.slice(1 + table.options), table.options, PAUSES)) ?? [];
  return [...head.slice(0, 1 + table.options), ...(weightPenalty === undefined ? [] : weights)];
}

// Made with scipy 1.17: scipy.optimize.minimize(loss, method="BFGS", jac=True, options={"gtol": 1e-11}), loss as in the comment of `HeadProblem`.
const EXPECTED: [string, number, number, number, number | undefined, number[]][] = [
  ["biases alone", 12, 3, 2, undefined, [0.209978451, -0.025824268, 0.048427501, -0.022603232]],
  [
    "more rows than features",
    12,
    3,
    2,
    0.3,
    [0.190529892, -0.025733408, 0.048991121, -0.023257712, 0.102072247, -0.141981416, 0.04351456, 0.043001127, -0.145586806, 0.098980289],
  ],
  [
    "more features than rows, in the rows' own coordinates",
    6,
    3,
    8,
    0.1,
    [
      0.254849665, -0.024161171, 0.067784675, -0.043623504, 0.164237592, -0.107333539, -0.021210065, 0.135597055, -0.159480067, 0.076918435,
      0.05698225, -0.152850248, -0.127154471, 0.138794583, -0.057796534, -0.061777694, 0.140118525, -0.124937534, 0.02636724, 0.089801814,
      -0.037083121, -0.031461043, 0.079006599, -0.073819361, 0.019361542, 0.048019099, -0.083349491, 0.063048435,
    ],
  ],
];

describe("the best head", () => {
  it.each(EXPECTED)("is that of another minimiser: %s", async (_, rows, options, size, weightPenalty, expected) => {
    const found = await optimumOf(await tableOf(rows, options, size), weightPenalty);
    expect(found).toHaveLength(expected.length);
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i] ?? NaN, 6);
  });

  it("has the gradient that differences of the loss show", async () => {
    const problem = new HeadProblem(await tableOf(7, 4, 3), Uint32Array.of(0, 1, 3, 4, 6), 0.2, PAUSES);
    const point = Float64Array.from({ length: problem.size }, (_, i) => Math.sin(i));
    const gradient = new Float64Array(problem.size);
    await problem.evaluate(point, gradient);
    for (let i = 0; i < problem.size; i++) {
      const [low, high] = [point.slice(), point.slice()];
      low[i] = (low[i] ?? 0) - 1e-5;
      high[i] = (high[i] ?? 0) + 1e-5;
      const [below, above] = [await problem.evaluate(low, gradient.slice()), await problem.evaluate(high, gradient.slice())];
      expect((above - below) / 2e-5).toBeCloseTo(gradient[i] ?? NaN, 6);
    }
  });
});

describe("coordinates of rows", () => {
  const productOf = (values: Float64Array, a: number, b: number, width: number): number =>
    values.slice(a * width, (a + 1) * width).reduce((sum, value, d) => sum + value * (values[b * width + d] ?? 0), 0);

  it("keep the products of rows, equal ones and those that are sums of others included", async () => {
    const [rows, size] = [6, 5];
    const x = Float64Array.from({ length: (rows + 1) * size }, (_, i) => (i < rows * size ? Math.sin(i * i) : 0));
    x.copyWithin(2 * size, 0, size); // row 2 is row 0
    for (let d = 0; d < size; d++) x[4 * size + d] = (x[d] ?? 0) - 2 * (x[size + d] ?? 0);
    const coordinates = await toCoordinates(x, rows, size, PAUSES);
    const { width, values, lengths } = coordinates;
    for (let a = 0; a < rows; a++)
      for (let b = 0; b < rows; b++) expect(productOf(values, a, b, width)).toBeCloseTo(productOf(x, a, b, size), 10);
    expect([...lengths]).toEqual([1, 2, 2, 3, 3, 4]);
    // Weights by feature make of a row what those by coordinate make of it.
    const weights = Float64Array.from({ length: 2 * width }, (_, i) => (i % width < 4 ? Math.cos(i) : 0));
    const byFeature = await coordinates.toFeatures(weights, 2, PAUSES);
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < 2; k++) {
        const own = weights.slice(k * width, (k + 1) * width).reduce((sum, w, d) => sum + w * (values[row * width + d] ?? 0), 0);
        const plain = byFeature.slice(k * size, (k + 1) * size).reduce((sum, w, d) => sum + w * (x[row * size + d] ?? 0), 0);
        expect(plain).toBeCloseTo(own, 10);
      }
  });
});
