// Draws the model card's two figures.
import { max } from "simple-statistics";
import { lineChart } from "./chart.mjs";

/** Bins and coverages with fewer answers are too noisy to draw. */
const LEAST = 10;

/**
 * @typedef {{ name: string, n: number, reliability: readonly import("./figures.mjs").ReliabilityBin[],
 *   riskCoverage: readonly { coverage: number, risk: number }[] }} Curve
 */

/** Shows how often answers of a given probability are right. @param {string} model @param {readonly Curve[]} curves */
export function reliabilityDrawing(model, curves) {
  const largest = max(curves.flatMap(({ n, reliability }) => reliability.map((bin) => bin.n / n)));
  // A dot's area is proportional to the bin's share of the answers.
  const radius = (part) => Math.max(2, 7 * Math.sqrt(part / largest));
  return lineChart({
    title: `Reliability of ${model}`,
    x: { label: "probability of the answer given", max: 1 },
    y: { label: "share of right answers", max: 1 },
    series: seriesOf(curves, ({ n, reliability }) =>
      reliability.filter((bin) => bin.n >= LEAST).map((bin) => ({ x: bin.probability, y: bin.accuracy, radius: radius(bin.n / n) })),
    ),
    diagonal: "calibrated",
  });
}

/** Shows how often the most confident answers are wrong. @param {string} model @param {readonly Curve[]} curves */
export function riskCoverageDrawing(model, curves) {
  const series = seriesOf(curves, ({ n, riskCoverage }) =>
    riskCoverage.filter(({ coverage }) => coverage * n >= LEAST).map(({ coverage, risk }) => ({ x: coverage, y: risk })),
  );
  const highest = max([0.1, ...series.flatMap(({ points }) => points.map((point) => point.y))]);
  return lineChart({
    title: `Wrong answers of ${model}, most confident first`,
    x: { label: "share of questions answered, most confident first", max: 1 },
    y: { label: "share of wrong answers", max: Math.min(1, Math.ceil(highest * 10 - 1e-9) / 10) },
    series,
  });
}

/** Leaves out curves without points. */
function seriesOf(curves, pointsOf) {
  return curves
    .map((curve) => ({ name: `${curve.name} (${curve.n.toLocaleString("en")})`, points: pointsOf(curve) }))
    .filter(({ points }) => points.length > 0);
}
