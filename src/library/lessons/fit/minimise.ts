import { elementAt } from "../../validation/expect.ts";

/** A smooth, strictly convex function. */
export interface Problem {
  readonly size: number;
  /** The function's value at a point; its gradient there is written into `gradient`. */
  evaluate(point: Float64Array, gradient: Float64Array): Promise<number>;
}

/** A step that was made and how the gradient changed along it: what is known of the function's curvature. */
interface Pair {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly product: number;
}

const MAX_PAIRS = 8;
const MAX_STEPS = 200;
const MAX_TRIES = 30;
/** Armijo's condition: a step must gain so much of what the slope promises. */
const LEAST_GAIN = 1e-4;

/**
 * The minimum of a function, searched from 0 on, by L-BFGS (Liu and Nocedal 1989, "On the limited memory BFGS method for large scale optimization"). The line
 * search goes back until Armijo's condition holds. The function's curvature should be about 1 in all directions.
 * @param tolerance The search ends where the next step promises to gain less than half of it.
 */
export async function minimise(problem: Problem, tolerance: number): Promise<Float64Array> {
  let point = new Float64Array(problem.size);
  let gradient = new Float64Array(problem.size);
  let value = await problem.evaluate(point, gradient);
  let pairs: readonly Pair[] = [];
  let [nextPoint, nextGradient] = [new Float64Array(problem.size), new Float64Array(problem.size)];
  for (let i = 0; i < MAX_STEPS; i++) {
    const direction = descent(gradient, pairs);
    const slope = dot(gradient, direction);
    if (-slope <= tolerance) break;
    let stretch = 1;
    let nextValue = value;
    let isLower = false;
    for (let tries = 0; tries < MAX_TRIES && !isLower; tries++) {
      for (let j = 0; j < point.length; j++) nextPoint[j] = (point[j] ?? 0) + stretch * (direction[j] ?? 0);
      nextValue = await problem.evaluate(nextPoint, nextGradient);
      isLower = nextValue <= value + LEAST_GAIN * stretch * slope;
      if (!isLower) stretch *= shrinking(value, slope * stretch, nextValue);
    }
    // Where rounding hides what is left to gain, the search has ended.
    if (!isLower) break;
    pairs = remembered(pairs, pairOf(point, nextPoint, gradient, nextGradient));
    [point, nextPoint] = [nextPoint, point];
    [gradient, nextGradient] = [nextGradient, gradient];
    value = nextValue;
  }
  return point;
}

/** Minus the gradient, times what is known of the inverse Hessian (the two-loop recursion). */
function descent(gradient: Float64Array, pairs: readonly Pair[]): Float64Array {
  const direction = new Float64Array(gradient.length);
  addTo(direction, gradient, -1);
  const shares = pairs.map(() => 0);
  for (let i = pairs.length - 1; i >= 0; i--) {
    const { step, change, product } = elementAt(pairs, i, "pair");
    const share = dot(step, direction) / product;
    shares[i] = share;
    addTo(direction, change, -share);
  }
  const newest = pairs.at(-1);
  const length = newest === undefined ? 1 : newest.product / dot(newest.change, newest.change);
  for (let i = 0; i < direction.length; i++) direction[i] = (direction[i] ?? 0) * length;
  pairs.forEach(({ step, change, product }, i) => {
    addTo(direction, step, (shares[i] ?? 0) - dot(change, direction) / product);
  });
  return direction;
}

/** How much shorter the next try is: to where a parabola through both values has its minimum, within bounds. */
function shrinking(value: number, slope: number, nextValue: number): number {
  const best = -slope / (2 * (nextValue - value - slope));
  return best > 0.1 ? Math.min(best, 0.5) : 0.1;
}

function pairOf(point: Float64Array, nextPoint: Float64Array, gradient: Float64Array, nextGradient: Float64Array): Pair {
  const [step, change] = [nextPoint.slice(), nextGradient.slice()];
  addTo(step, point, -1);
  addTo(change, gradient, -1);
  return { step, change, product: dot(step, change) };
}

function remembered(pairs: readonly Pair[], pair: Pair): readonly Pair[] {
  // Of a strictly convex function the product is above 0, but for rounding.
  return pair.product > 1e-12 * dot(pair.change, pair.change) ? [...pairs.slice(1 - MAX_PAIRS), pair] : pairs;
}

function dot(a: Float64Array, b: Float64Array): number {
  // Two sums, so that an addition need not wait for the one before it.
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < a.length; i += 2) {
    even += (a[i] ?? 0) * (b[i] ?? 0);
    odd += (a[i + 1] ?? 0) * (b[i + 1] ?? 0);
  }
  return even + odd + (i < a.length ? (a[i] ?? 0) * (b[i] ?? 0) : 0);
}

function addTo(sum: Float64Array, values: Float64Array, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + factor * (values[i] ?? 0);
}
