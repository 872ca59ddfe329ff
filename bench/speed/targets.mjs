// What we want to reach, and whether a run reached it.
import { TARGET_SIZES, keyOf } from "./grid.mjs";

/** @typedef {import("./figures.mjs").Estimate} Estimate */
/** @typedef {{ what: string, unit: string, least?: number, most?: number, stretch?: number, of: (results: object) => Estimate | undefined }} Target */

const cellOf = (results, size) => results.cells?.find(({ key }) => key === keyOf(TARGET_SIZES[size]));
const timesAsLong = (name, size) => (results) => cellOf(results, size)?.contenders[name]?.timesAsLong;
/** A figure without an interval. */
const memoryOf = (starts) => starts && { value: starts.umpire.rssMb, low: starts.umpire.rssMb, high: starts.umpire.rssMb };
const warmOf = (cell) => {
  const { medianMs: value, lowMs: low, highMs: high } = cell?.contenders.umpire.warm ?? {};
  return value === undefined ? undefined : { value, low, high };
};

/** @type {readonly Target[]} */
export const TARGETS = [
  {
    what: "10 options, 144 tokens: transformers.js fp32 / umpire",
    unit: "x",
    least: 16,
    stretch: 20,
    of: timesAsLong("transformers.js fp32", "usual"),
  },
  { what: "the same, transformers.js q8 / umpire", unit: "x", least: 8, stretch: 10, of: timesAsLong("transformers.js q8", "usual") },
  {
    what: "77 options, 64 tokens: transformers.js fp32 / umpire",
    unit: "x",
    least: 24,
    stretch: 30,
    of: timesAsLong("transformers.js fp32", "manyOptions"),
  },
  {
    what: "20 questions of 5 options, 512 tokens: transformers.js fp32 / umpire",
    unit: "x",
    least: 60,
    stretch: 90,
    of: timesAsLong("transformers.js fp32", "manyQuestions"),
  },
  { what: "2,048 tokens: first question / second", unit: "x", least: 15, stretch: 25, of: ({ secondQuestion }) => secondQuestion?.ratio },
  {
    what: "10 options, 144 tokens: umpire / floor",
    unit: "",
    most: 2.2,
    stretch: 1.6,
    of: (results) => cellOf(results, "usual")?.overFloor,
  },
  {
    what: "10 options, 144 tokens: umpire int8 / umpire fp32",
    unit: "",
    most: 0.55,
    stretch: 0.45,
    of: (results) => cellOf(results, "usual")?.overFp32,
  },
  {
    what: "process start to first answer, umpire / transformers.js fp32",
    unit: "",
    most: 0.6,
    stretch: 0.4,
    of: ({ starts }) => starts?.ratio,
  },
  { what: "Chromium, wasm, 1 thread: transformers.js q8 / umpire", unit: "x", least: 10, stretch: 14, of: ({ browser }) => browser?.ratio },
  {
    what: "memory with one worker after an answer",
    unit: "MB",
    most: 175,
    stretch: 140,
    of: ({ starts }) => memoryOf(starts),
  },
  { what: "umpire-3-base: 10 options, 144 tokens", unit: "ms", most: 80, of: ({ base }) => base && warmOf(cellOf(base, "usual")) },
  {
    what: "umpire-3-base, the same: transformers.js fp32 of its shape / umpire",
    unit: "x",
    least: 10,
    of: ({ base }) => base && timesAsLong("transformers.js fp32", "usual")(base),
  },
  { what: "umpire-3-base: process start to first answer", unit: "ms", most: 900, of: ({ base }) => base?.starts.umpire.ms },
  { what: "umpire-3-base: memory with one worker after an answer", unit: "MB", most: 420, of: ({ base }) => memoryOf(base?.starts) },
];

/** @param {Target} target @param {Estimate | undefined} estimate */
export function verdictOf({ least, most, stretch }, estimate) {
  if (estimate === undefined) return "not measured";
  const isMet = (limit) => (least === undefined ? estimate.value <= limit : estimate.value >= limit);
  if (stretch !== undefined && isMet(stretch)) return "reached, stretch too";
  return isMet(least ?? most) ? "reached" : "NOT REACHED";
}

/** One row a target, whatever was measured. @param {object} results of a run */
export function targetRows(results) {
  return TARGETS.map((target) => {
    const estimate = target.of(results);
    return { ...target, estimate, verdict: verdictOf(target, estimate) };
  });
}
