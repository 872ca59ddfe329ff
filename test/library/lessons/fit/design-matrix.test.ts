import { describe, expect, it } from "vitest";
import { toCoordinates, toDesignMatrix } from "../../../../src/library/lessons/fit/design-matrix.ts";
import { Yielder } from "../../../../src/library/async/signals.ts";

const YIELDER = new Yielder(undefined);

it("features are less their mean, and of the same length for any model", async () => {
  const x = [Float32Array.of(1, 0), Float32Array.of(3, 0), Float32Array.of(2, 3)];
  const { design, mean } = await toDesignMatrix(
    x.map((features, i) => ({ text: String(i), answer: i % 2, probabilities: Float64Array.of(0.85, 0.15), features })),
    [0, 1],
    YIELDER,
  );
  expect(mean).toEqual(Float32Array.of(2, 1));
  const { width = 0, values = new Float64Array() } = design.features ?? {};
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  expect(squares / 3).toBeCloseTo(1.3, 10);
  const weights = Float64Array.from({ length: width }, (_, d) => d + 1);
  const byFeature = (await design.features?.toFeatures(weights, 1, YIELDER)) ?? [];
  for (const [row, features] of x.entries()) {
    const own = weights.reduce((sum, weight, d) => sum + weight * (values[row * width + d] ?? 0), 0);
    expect((byFeature[0] ?? 0) * ((features[0] ?? 0) - 2) + (byFeature[1] ?? 0) * ((features[1] ?? 0) - 1)).toBeCloseTo(own, 10);
  }
});

describe("coordinates of rows", () => {
  const productOf = (values: Float64Array, a: number, b: number, width: number): number =>
    values.slice(a * width, (a + 1) * width).reduce((sum, value, d) => sum + value * (values[b * width + d] ?? 0), 0);

  it("keep the products of rows, equal ones and those that are sums of others included", async () => {
    const [rows, size] = [6, 5];
    const x = Float64Array.from({ length: (rows + 1) * size }, (_, i) => (i < rows * size ? Math.sin(i * i) : 0));
    x.copyWithin(2 * size, 0, size); // row 2 is row 0
    for (let d = 0; d < size; d++) x[4 * size + d] = (x[d] ?? 0) - 2 * (x[size + d] ?? 0);
    const coordinates = await toCoordinates(x, rows, size, YIELDER);
    const { width, values, lengths } = coordinates;
    for (let a = 0; a < rows; a++)
      for (let b = 0; b < rows; b++) expect(productOf(values, a, b, width)).toBeCloseTo(productOf(x, a, b, size), 10);
    expect([...lengths]).toEqual([1, 2, 2, 3, 3, 4]);
    // Weights by feature make of a row what those by coordinate make of it.
    const weights = Float64Array.from({ length: 2 * width }, (_, i) => (i % width < 4 ? Math.cos(i) : 0));
    const byFeature = await coordinates.toFeatures(weights, 2, YIELDER);
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < 2; k++) {
        const own = weights.slice(k * width, (k + 1) * width).reduce((sum, w, d) => sum + w * (values[row * width + d] ?? 0), 0);
        const plain = byFeature.slice(k * size, (k + 1) * size).reduce((sum, w, d) => sum + w * (x[row * size + d] ?? 0), 0);
        expect(plain).toBeCloseTo(own, 10);
      }
  });
});
