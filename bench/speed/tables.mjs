// What a run measured, as tables: rows of cells, the first row a heading. The terminal and bench/LOG.md show all of them, docs/speed.md the short ones.
import { AXES, TARGET_SIZES, keyOf } from "./grid.mjs";
import { targetRows } from "./targets.mjs";

/** @typedef {string[][]} Table */

const PARTLY = "*";

/** What docs/speed.md has room for; its figures show the others. */
const SHOWN_SIZES = [
  { options: 2, tokens: 144, questions: 1 },
  TARGET_SIZES.usual,
  TARGET_SIZES.manyOptions,
  { options: 10, tokens: 8192, questions: 1 },
  TARGET_SIZES.manyQuestions,
];
/** What a user would take. */
const SHOWN_CONTENDERS = ["umpire", "transformers.js fp32", "transformers.js q8"];

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
  return withPeak(cells, gridTable(cells, contendersOf(cells), shownWarm));
}

/** The rows and columns of `warmTable` that a user needs. @param {object} results @returns {Table} */
export function shortWarmTable({ cells }) {
  const shownCells = SHOWN_SIZES.map((size) => cells.find(({ key }) => key === keyOf(size))).filter((cell) => cell !== undefined);
  const names = contendersOf(cells).filter((name) => SHOWN_CONTENDERS.includes(name));
  return gridTable(shownCells, names, (measured, name) =>
    name === "umpire" ? shownMs(measured.warm.medianMs) : compared(measured, measured.warm),
  );
}

function shownWarm(measured, name) {
  const { medianMs, p95Ms } = measured.warm;
  return name === "umpire" ? `${shownMs(medianMs)} (p95 ${shownMs(p95Ms)})` : compared(measured, measured.warm);
}

/** As `warmTable`, but calls that find the caches cold. @param {object} results @returns {Table} */
export function firstTable({ cells }) {
  const show = ({ first: { medianMs, p95Ms } }, name) =>
    name === "umpire" ? `${shownMs(medianMs)} (p95 ${shownMs(p95Ms)})` : shownMs(medianMs);
  return withPeak(cells, gridTable(cells, contendersOf(cells), show));
}

const contendersOf = (cells) => [...new Set(cells.flatMap(({ contenders }) => Object.keys(contenders)))];

function compared({ timesAsLong }, { medianMs }) {
  return `${shownMs(medianMs)} (${timesAsLong.value.toFixed(timesAsLong.value < 10 ? 2 : 1)} x)`;
}

function gridTable(cells, names, show) {
  const rows = cells.map(({ name, notes, contenders }) => [
    name,
    ...names.map((contender) => {
      const measured = contenders[contender];
      if (measured === undefined) return "cannot";
      return show(measured, contender) + (notes.some((note) => note.startsWith(`${contender}:`)) ? PARTLY : "");
    }),
  ]);
  return [["", ...names], ...rows];
}

/** A table of the cells with one more column, the same products at the speed of large ones. */
function withPeak(cells, [heading, ...rows]) {
  return [[...heading, "at the peak"], ...rows.map((row, i) => [...row, shownMs(cells[i].atPeakMs)])];
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

/** A start as a whole, without its parts. @param {object} results @returns {Table} */
export function shortStartTable({ starts: { umpire, peer } }) {
  const all = peer ? [umpire, peer] : [umpire];
  return [
    ["", "umpire", ...(peer ? ["transformers.js fp32"] : [])],
    ["process start to first answer", ...all.map(({ ms }) => shownMs(ms.value))],
    ["memory after the answer, at most", ...all.map(({ rssMb }) => shown(rssMb, "MB"))],
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

/** Answers a second, one row a setting. @param {object} results @returns {Table} */
export function answersTable({ callers }) {
  const settings = [...new Set(callers.map(({ setting }) => setting))];
  const inFlight = [...new Set(callers.map((one) => one.callers))];
  const cell = (setting, count) => callers.find((one) => one.setting === setting && one.callers === count)?.perSecond.toFixed(1) ?? "";
  return [
    ["workers x threads", ...inFlight.map((count) => `${count} in flight`)],
    ...settings.map((setting) => [setting, ...inFlight.map((count) => cell(setting, count))]),
  ];
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

/** What the stars of a grid mean, a line each. A note begins with its contender; those that say the same share a line. @param {readonly { notes: readonly string[] }[]} cells */
export function notesOf(cells) {
  const contendersOfText = new Map();
  for (const note of new Set(cells.flatMap(({ notes }) => notes))) {
    const [contender, text] = note.split(/: (.*)/su);
    contendersOfText.set(text, [...(contendersOfText.get(text) ?? []), contender]);
  }
  return [...contendersOfText].map(([text, contenders]) => `${PARTLY} ${contenders.join(", ")}: ${text}`);
}

/** @param {Table} table @returns {string} */
export function markdownOf([heading, ...rows]) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(heading), `|${heading.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
