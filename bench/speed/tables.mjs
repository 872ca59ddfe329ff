// What a run measured, as tables: rows of cells, the first row a heading. The terminal and docs/speed.md show the same ones.
import { AXES, keyOf } from "./grid.mjs";
import { targetRows } from "./targets.mjs";

/** @typedef {string[][]} Table */

const PARTLY = "*";

export const shownMs = (ms) =>
  ms === undefined ? "" : ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)} ms`;
const shown = (value, unit) => `${value.toFixed(unit === "MB" || value >= 100 ? 0 : value >= 10 ? 1 : 2)}${unit === "" ? "" : ` ${unit}`}`;
const spanned = (low, high, unit) => (low === high ? "" : `${shown(low, "")} to ${shown(high, unit)}`);

/** @param {object} results @returns {Table} */
export function targetTable(results) {
  const rows = targetRows(results).map(({ what, unit, least, most, stretch, estimate, verdict }) => [
    what,
    estimate ? shown(estimate.value, unit) : "",
    estimate ? spanned(estimate.low, estimate.high, unit) : "",
    least === undefined ? `at most ${most}` : `at least ${least}`,
    stretch === undefined ? "" : String(stretch),
    verdict,
  ]);
  return [["what", "measured", "95% interval", "target", "stretch", "verdict"], ...rows];
}

/** One row a request: warm medians, and how long the others take of ours. @param {object} results @returns {Table} */
export function warmTable({ cells }) {
  return gridTable(cells, (measured, name) =>
    name === "umpire" ? `${shownMs(measured.warm.medianMs)} (p95 ${shownMs(measured.warm.p95Ms)})` : compared(measured, measured.warm),
  );
}

/** As `warmTable`, but calls that find the caches cold. @param {object} results @returns {Table} */
export function firstTable({ cells }) {
  return gridTable(cells, (measured, name) =>
    name === "umpire" ? `${shownMs(measured.first.medianMs)} (p95 ${shownMs(measured.first.p95Ms)})` : shownMs(measured.first.medianMs),
  );
}

function compared({ timesAsLong }, { medianMs }) {
  return `${shownMs(medianMs)} (${timesAsLong.value.toFixed(timesAsLong.value < 10 ? 2 : 1)} x)`;
}

function gridTable(cells, show) {
  const names = [...new Set(cells.flatMap(({ contenders }) => Object.keys(contenders)))];
  const rows = cells.map(({ name, notes, contenders, atPeakMs }) => [
    name,
    ...names.map((contender) => {
      const measured = contenders[contender];
      if (measured === undefined) return "cannot";
      return show(measured, contender) + (notes.some((note) => note.startsWith(`${contender}:`)) ? PARTLY : "");
    }),
    shownMs(atPeakMs),
  ]);
  return [["", ...names, "at the peak"], ...rows];
}

/** The parts of a start (cold-parts.mjs) that follow each other, then those that lie within them. */
const PARTS = {
  bootMs: "Node, up to the first line",
  importMs: "import of umpire",
  findMs: "finding the model, up to the worker's start",
  workerMs: "the worker's thread and script",
  loadMs: "loading the model",
  firstRunMs: "the call in the worker",
  answerMs: "from there to the caller",
  readMs: "of loading: files read",
  verifyMs: "of loading: files hashed",
  runtimeMs: "of loading: the native library",
  parseMs: "of loading: JSON parsed",
  sessionMs: "of loading: sessions made",
  selfTestMs: "of loading: the self-test",
};

/** @param {object} results @returns {Table} */
export function startTable({ starts: { umpire, peer, partsMs } }) {
  const parts = Object.entries(PARTS).filter(([part]) => partsMs[part] !== undefined);
  return [
    ["start", "median"],
    ["process start to first answer", shownMs(umpire.ms.value)],
    ...(peer ? [["the same, transformers.js fp32", shownMs(peer.ms.value)]] : []),
    ...parts.map(([part, name]) => [name, shownMs(partsMs[part])]),
    ["memory after the answer, at most", shown(umpire.rssMb, "MB")],
    ...(peer ? [["the same, transformers.js fp32", shown(peer.rssMb, "MB")]] : []),
  ];
}

/** @param {object} results @returns {Table} */
export function callersTable({ callers }) {
  const rows = callers.map(({ setting, callers: inFlight, perSecond, medianMs, p95Ms }) => [
    setting,
    String(inFlight),
    perSecond.toFixed(1),
    shownMs(medianMs),
    shownMs(p95Ms),
  ]);
  return [["workers x threads", "callers in flight", "answers a second", "median", "p95"], ...rows];
}

/** @param {object} results @returns {Table} */
export function readingTable({ secondQuestion }) {
  const row = (what, { tokens, first, second, ratio }) => [
    `${tokens.toLocaleString("en")} tokens, ${what}`,
    shownMs(first.medianMs),
    `${shownMs(second.medianMs)} (p95 ${shownMs(second.p95Ms)})`,
    shown(ratio.value, "x"),
  ];
  return [
    ["10 options", "first question", "second question", "first / second"],
    row("by one reading", secondQuestion),
    row("by decide() with the same state", secondQuestion.repeated),
  ];
}

/** @param {object} results @returns {Table} */
export function peakTable({ peak }) {
  return [
    ["threads", "int8", "fp32"],
    ...peak.map(({ threads, int8, fp32 }) => [String(threads), ...[int8, fp32].map((speed) => `${speed.toFixed(0)} GMAC/s`)]),
  ];
}

/** The cells that lie on an axis, in its order. @param {readonly object[]} cells @param {keyof typeof AXES} axis */
export function cellsOf(cells, axis) {
  return AXES[axis].map((size) => cells.find(({ key }) => key === keyOf(size))).filter((cell) => cell !== undefined);
}

/** What the stars of a grid mean, a line each. @param {readonly { notes: readonly string[] }[]} cells */
export function notesOf(cells) {
  return [...new Set(cells.flatMap(({ notes }) => notes))].map((note) => `${PARTLY} ${note}`);
}

/** @param {Table} table @returns {string} */
export function markdownOf([heading, ...rows]) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(heading), `|${heading.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
