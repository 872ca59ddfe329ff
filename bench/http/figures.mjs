import { median, quantile } from "simple-statistics";

/** Percentiles of latencies in ms; undefined if there are none. */
export function percentiles(latencies) {
  if (latencies.length === 0) return undefined;
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((share) => quantile(latencies, share));
  return { p50Ms, p95Ms, p99Ms, maxMs: latencies.reduce((most, ms) => Math.max(most, ms), 0) };
}

/** Difference of the medians with its 95% confidence interval (bootstrap). */
export function medianDifference(these, those, rounds = 1000) {
  const resampled = (values) => median(values.map(() => values[Math.floor(Math.random() * values.length)]));
  const differences = Array.from({ length: rounds }, () => resampled(these) - resampled(those));
  return { ms: median(these) - median(those), lowMs: quantile(differences, 0.025), highMs: quantile(differences, 0.975) };
}

export const shownMs = (value) => (value === undefined ? "" : `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`);
export const shownMb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
/** Formats `{ 200: 12, 429: 3 }` as `200: 12, 429: 3`. */
export const shownStatuses = (statuses) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ");
