// Draws time against options, state and questions.
import { lineChart } from "../accuracy/chart.mjs";
import { cellsOf } from "./tables.mjs";

const LINES = ["umpire", "transformers.js fp32", "transformers.js q8", "own loop q8", "floor"];
const RADIUS = 3;
const DECADE = 10;

const AXES = {
  options: { title: "Time by number of options (144 tokens)", label: "options" },
  tokens: { title: "Time by length of the state (10 options)", label: "tokens of the state" },
  questions: { title: "Time by number of questions (5 options each, 512 tokens)", label: "questions" },
};

/**
 * One figure for each axis that has at least two points: its file's name, title and SVG document.
 * @param {{ cells: readonly import("./measure-grid.mjs").Cell[] }} results
 * @returns {{ name: string, title: string, svg: string }[]}
 */
export function speedDrawings({ cells }) {
  return Object.entries(AXES)
    .map(([axis, texts]) => ({ axis, texts, points: cellsOf(cells, axis) }))
    .filter(({ points }) => points.length > 1)
    .map(({ axis, texts, points }) => ({ name: `speed-${axis}`, title: texts.title, svg: drawing(axis, texts, points) }));
}

/** Both axes are logarithmic. */
function drawing(axis, { title, label }, cells) {
  const series = LINES.map((name) => ({
    name,
    cells: cells.filter(({ contenders }) => contenders[name]),
  })).filter((one) => one.cells.length > 0);
  const times = series.flatMap(({ name, cells: of }) => of.map(({ contenders }) => contenders[name].warm.medianMs));
  const [least, most] = [Math.floor(log(Math.min(...times))), Math.ceil(log(Math.max(...times)))];
  const sizes = cells.map(({ size }) => size[axis]);
  const across = scale(log(sizes[0]), log(sizes.at(-1)));
  const up = scale(least, most);
  const decades = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  return lineChart({
    title,
    x: { label, max: 1, ticks: sizes.map((size) => ({ at: across(log(size)), name: size.toLocaleString("en") })) },
    y: {
      label: "ms, median of warm calls",
      max: 1,
      ticks: decades.map((exponent) => ({ at: up(exponent), name: (DECADE ** exponent).toLocaleString("en") })),
    },
    series: series.map(({ name, cells: of }) => ({
      name,
      points: of.map(({ size, contenders }) => ({
        x: across(log(size[axis])),
        y: up(log(contenders[name].warm.medianMs)),
        radius: RADIUS,
      })),
    })),
  });
}

const log = Math.log10;
const scale = (from, to) => (value) => (value - from) / (to - from || 1);
