// Draws accuracy against the number of examples.
import { lineChart } from "../accuracy/chart.mjs";

/** @param {readonly { learner: string, number: number, accuracy: number }[]} summary @param {readonly number[]} numbers of examples */
export function learningDrawing(summary, numbers) {
  const most = Math.log2(Math.max(...numbers));
  // Doublings of the number of examples are equally far apart. No examples at all stand three doublings below the fewest.
  const least = Math.log2(Math.min(...numbers)) - 2;
  const across = (number) => (number === 0 ? 0 : (Math.log2(number) - least) / (most - least));
  const learners = [...new Set(summary.map(({ learner }) => learner))].filter((learner) => learner !== "zero-shot");
  const zeroShot = summary.find(({ learner }) => learner === "zero-shot").accuracy;
  const series = learners.map((learner) => ({
    name: learner,
    points: [
      ...(learner === "umpire" ? [{ x: 0, y: zeroShot, radius: 3 }] : []),
      ...summary.filter((row) => row.learner === learner).map(({ number, accuracy }) => ({ x: across(number), y: accuracy, radius: 3 })),
    ],
  }));
  return lineChart({
    title: "Accuracy by number of examples",
    x: { label: "examples", max: 1, ticks: [0, ...numbers].map((number) => ({ at: across(number), name: String(number) })) },
    y: { label: "accuracy", max: 0.8 },
    series,
  });
}
