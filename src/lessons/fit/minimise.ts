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

/** Where a search begins: a point, and what is known of the curvature near it. */
export interface Start {
  readonly point: Float64Array;
  readonly pairs?: readonly Pair[];
}

export interface Minimum extends Start {
  readonly point: Float64Array;
  readonly pairs: readonly Pair[];
  readonly value: number;
  readonly evaluations: number;
}

const MAX_PAIRS = 12;
const MAX_STEPS = 200;
const MAX_HALVINGS = 30;
/** Armijo's condition: a step must gain so much of what the slope promises. */
const LEAST_GAIN = 1e-4;

/**
 * The minimum of a function by L-BFGS (Liu and Nocedal 1989, "On the limited memory BFGS method for large scale optimization"), with a line search that goes
 * back until Armijo's condition holds.
 * @param tolerance the gradient's length at which the search ends
 */
export async function minimise(problem: Problem, start: Start, tolerance: number): Promise<Minimum> {
  let point = start.point.slice();
  let gradient = new Float64Array(problem.size);
  let value = await problem.evaluate(point, gradient);
  let evaluations = 1;
  let pairs = start.pairs ?? [];
  let [nextPoint, nextGradient] = [new Float64Array(problem.size), new Float64Array(problem.size)];
  for (let i = 0; i < MAX_STEPS; i++) {
    const length = Math.sqrt(dot(gradient, gradient));
    if (length <= tolerance) break;
    const direction = descent(gradient, pairs, length);
    const slope = dot(gradient, direction);
    let stretch = 1;
    let nextValue = value;
    let isLower = false;
    for (let halvings = 0; halvings < MAX_HALVINGS && !isLower; halvings++) {
      for (let j = 0; j < point.length; j++) nextPoint[j] = at(point, j) + stretch * at(direction, j);
      nextValue = await problem.evaluate(nextPoint, nextGradient);
      evaluations++;
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
  return { point, pairs, value, evaluations };
}

/** Minus the gradient, times what is known of the inverse Hessian (the two-loop recursion). */
function descent(gradient: Float64Array, pairs: readonly Pair[], length: number): Float64Array {
  const direction = gradient.map((g) => -g);
  const newest = pairs.at(-1);
  if (newest === undefined) return scaled(direction, 1 / Math.max(1, length));
  const shares = pairs.map(() => 0);
  for (let i = pairs.length - 1; i >= 0; i--) {
    const { step, change, product } = elementAt(pairs, i, "pair");
    const share = dot(step, direction) / product;
    shares[i] = share;
    addTo(direction, change, -share);
  }
  scaled(direction, newest.product / dot(newest.change, newest.change));
  pairs.forEach(({ step, change, product }, i) => {
    addTo(direction, step, (shares[i] ?? 0) - dot(change, direction) / product);
  });
  return direction;
}

/** How much shorter the next try is: where a parabola through both values has its minimum, within bounds. */
function shrinking(value: number, slope: number, nextValue: number): number {
  const best = -slope / (2 * (nextValue - value - slope));
  return best > 0.1 && best < 0.5 ? best : best >= 0.5 ? 0.5 : 0.1;
}

function pairOf(point: Float64Array, nextPoint: Float64Array, gradient: Float64Array, nextGradient: Float64Array): Pair {
  const step = nextPoint.map((value, i) => value - at(point, i));
  const change = nextGradient.map((value, i) => value - at(gradient, i));
  return { step, change, product: dot(step, change) };
}

function remembered(pairs: readonly Pair[], pair: Pair): readonly Pair[] {
  // Of a strictly convex function the product is above 0, but for rounding.
  return pair.product > 1e-12 * dot(pair.change, pair.change) ? [...pairs.slice(1 - MAX_PAIRS), pair] : pairs;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += at(a, i) * at(b, i);
  return sum;
}

function addTo(sum: Float64Array, values: Float64Array, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = at(sum, i) + factor * at(values, i);
}

function scaled(values: Float64Array, factor: number): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = at(values, i) * factor;
  return values;
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
