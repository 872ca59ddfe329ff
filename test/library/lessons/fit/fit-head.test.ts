import { describe, expect, it } from "vitest";
import { toCoordinates, toDesignMatrix } from "../../../../src/library/lessons/fit/design-matrix.ts";
import type { DesignMatrix } from "../../../../src/library/lessons/fit/design-matrix.ts";
import { BIASES, FEATURES, NOTHING, exactHead, leaveHope, poolOf, weighed } from "../../../../src/library/lessons/fit/fit-head.ts";
import type { Fitted } from "../../../../src/library/lessons/fit/fit-head.ts";
import { HeadProblem } from "../../../../src/library/lessons/fit/head-problem.ts";
import { Yielder } from "../../../../src/library/async/signals.ts";
import { logSoftmaxInPlace } from "../../../../src/library/statistics/softmax.ts";

const YIELDER = new Yielder(undefined);

const CANDIDATES = [NOTHING, BIASES, ...FEATURES];

function fitted(...logLikelihoods: number[]): Fitted[] {
  const nothing = new Float64Array();
  return logLikelihoods.map((logLikelihood, i) => ({
    candidate: CANDIDATES[i] ?? NOTHING,
    parameters: nothing,
    outOfFold: nothing,
    logLikelihood,
  }));
}

describe("what a lesson may be", () => {
  it("counts by the likelihood of held-out answers; nothing learned counts fifty times before any is seen", () => {
    const weights = (...logLikelihoods: number[]): number[] => weighed(fitted(...logLikelihoods)).map(({ weight }) => weight);
    expect(weights(-10, -10)).toEqual([50 / 51, 1 / 51]);
    expect(weights(-10, -10 + Math.log(50))[0]).toBeCloseTo(1 / 2, 10);
    expect(weights(-30, -30, -10, -10 - Math.log(3))).toEqual([expect.closeTo(3 / 4, 6), expect.closeTo(1 / 4, 6)]);
  });

  it("ends with the penalty after which weaker ones can count for nothing", () => {
    expect(leaveHope(fitted(-100, -50, -40, -38))).toBe(true);
    expect(leaveHope(fitted(-100, -50, -40, -43))).toBe(true);
    expect(leaveHope(fitted(-100, -50, -40, -44))).toBe(false);
    // Biases may lose what features gain, so the model alone is no measure of them.
    expect(leaveHope(fitted(-40, -60))).toBe(true);
    expect(leaveHope(fitted(-100, -50, -54))).toBe(false);
  });
});

const rowOf = (i: number, answer: number, features?: Float32Array): Parameters<typeof toDesignMatrix>[0][number] => ({
  text: String(i),
  answer,
  probabilities: Float64Array.of(0.85, 0.15),
  features,
});

it("a head says as much as held-out answers show: logits are mixed by weight and divided by a temperature", async () => {
  const { design } = await toDesignMatrix(
    Array.from({ length: 4000 }, (_, i) => rowOf(i, i % 4 === 0 ? 1 : 0)),
    [0, 1],
    YIELDER,
  );
  const outOfFold = design.base.slice();
  const all = { outOfFold, logLikelihood: 0 };
  const pool = await poolOf(
    design,
    [
      { ...all, candidate: NOTHING, weight: 0.75, parameters: Float64Array.of(1, 0, 0) },
      { ...all, candidate: BIASES, weight: 0.25, parameters: Float64Array.of(2, 0.4, -0.4) },
    ],
    YIELDER,
  );
  // Three of four are right where 0.85 was said; of 0.5, 0.55, ... 2 the temperature 1.6 makes it most nearly 0.75.
  expect(pool.learned).toBe("nothing");
  expect(pool.scale).toBeCloseTo(1.25 / 1.6, 10);
  expect([...pool.biases]).toEqual([expect.closeTo(0.1 / 1.6, 10), expect.closeTo(-0.1 / 1.6, 10)]);
  expect((pool.outOfFold[0] ?? 0) - (pool.outOfFold[1] ?? 0)).toBeCloseTo(Math.log(0.85 / 0.15) / 1.6, 10);
});

it("a few examples do not make a head surer, or less sure", async () => {
  const { design } = await toDesignMatrix(
    [0, 0, 0, 1].map((answer, i) => rowOf(i, answer)),
    [0, 1],
    YIELDER,
  );
  const untaught = {
    outOfFold: design.base.slice(),
    logLikelihood: 0,
    candidate: NOTHING,
    weight: 1,
    parameters: Float64Array.of(1, 0, 0),
  };
  const { scale } = await poolOf(design, [untaught], YIELDER);
  expect(scale).toBeCloseTo(1 / 1.1, 10);
});

/** Numbers that are the same everywhere; the expected optima are of the same ones, in Python. */
async function designOf(rows: number, options: number, size: number): Promise<DesignMatrix> {
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
    features: await toCoordinates(x, rows, size, YIELDER),
  };
}

/** Scale, biases, and weights by feature. */
async function optimumOf(design: DesignMatrix, weightPenalty: number | undefined): Promise<number[]> {
  const start = new Float64Array(1 + design.options * (1 + (weightPenalty === undefined ? 0 : (design.features?.width ?? 0))));
  start[0] = 1;
  const head = await exactHead(design, weightPenalty, start, YIELDER);
  const weights = (await design.features?.toFeatures(head.slice(1 + design.options), design.options, YIELDER)) ?? [];
  return [...head.slice(0, 1 + design.options), ...(weightPenalty === undefined ? [] : weights)];
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
    const found = await optimumOf(await designOf(rows, options, size), weightPenalty);
    expect(found).toHaveLength(expected.length);
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i] ?? NaN, 6);
  });

  it("has the gradient that differences of the loss show", async () => {
    const problem = new HeadProblem(await designOf(7, 4, 3), Uint32Array.of(0, 1, 3, 4, 6), 0.2, YIELDER);
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
