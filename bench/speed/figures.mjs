// What is said of a contender's times.
import { median, quantile, sampleWithReplacement } from "simple-statistics";

const RESAMPLES = 1000;

/** @typedef {{ medianMs: number, p95Ms: number, lowMs: number, highMs: number, calls: number }} Figures */
/** @typedef {{ value: number, low: number, high: number }} Estimate */

/**
 * Median, 95th percentile, and the median's 95% interval. Calls of one turn meet the same load, so turns are drawn anew and not calls.
 * @param {readonly (readonly number[])[]} turns times in ms, turn by turn
 * @returns {Figures}
 */
export function figuresOf(turns) {
  const all = turns.flat();
  const [lowMs, highMs] = intervalOf(turns, (drawn) => median(drawn.flat()));
  return { medianMs: median(all), p95Ms: quantile(all, 0.95), lowMs, highMs, calls: all.length };
}

/**
 * Ratio of two contenders' medians. Both took every turn, so that a slow turn slows both.
 * @param {readonly (readonly number[])[]} above @param {readonly (readonly number[])[]} below
 * @returns {Estimate}
 */
export function ratioOf(above, below) {
  const turns = above.map((turn, i) => [turn, below[i]]).filter(([, other]) => other !== undefined);
  const ratio = (drawn) => median(drawn.flatMap(([one]) => one)) / median(drawn.flatMap(([, other]) => other));
  const [low, high] = intervalOf(turns, ratio);
  return { value: ratio(turns), low, high };
}

/** A median of separate measurements, such as starts of a process. @param {readonly number[]} values @returns {Estimate} */
export function estimateOf(values) {
  const [low, high] = intervalOf(values, median);
  return { value: median(values), low, high };
}

function intervalOf(values, statistic) {
  const drawn = Array.from({ length: RESAMPLES }, () => statistic(sampleWithReplacement(values, values.length)));
  return [quantile(drawn, 0.025), quantile(drawn, 0.975)];
}
