// Which matrix products a request cannot do without, as the runs of one graph (graph.mjs).
import { fileURLToPath } from "node:url";
import { importBundled } from "../../../test/support/bundled.mjs";

const windows = fileURLToPath(new URL("../../../src/library/engine/batch.ts", import.meta.url));
const { toWindows } = await importBundled({ entryPoints: [windows] }, new URL(".", import.meta.url));

/** [CLS] and [SEP] of each segment. */
const SPECIAL_TOKENS = 2;
/** Query rows times tokens that they see, at most, so that scores of attention stay in some 25 MB. The engine bounds its runs, too. */
const MOST_SCORES = 2 ** 19;

/**
 * @typedef {{ rows: number, seen: number, options: number, optionTokens: number }} Run `rows`: tokens read; `seen`: tokens of state and question that all of
 *   them attend to; `options`: how many options are among the rows, which attend to their own `optionTokens`, too
 *
 * @typedef {{ state: number, questions: readonly { instructions: number, options: readonly number[] }[] }} Counts tokens, without special ones
 */

/**
 * The state is read a window a run, then each question with its options. Options count with their mean length, rounded down, where they attend to
 * themselves: that is never more than they need.
 * @param {Counts} counts
 * @param {{ windowTokens: number, overlapTokens: number }} limits of the model
 * @returns {Run[]}
 */
export function floorRuns({ state, questions }, { windowTokens, overlapTokens }) {
  const cut = toWindows(state, windowTokens - SPECIAL_TOKENS, overlapTokens);
  const ofState = cut.map(({ length }) => ({ rows: length + SPECIAL_TOKENS, seen: length + SPECIAL_TOKENS, options: 0, optionTokens: 0 }));
  const stateRows = ofState.reduce((sum, { rows }) => sum + rows, 0);
  return [...ofState, ...questions.flatMap((question) => questionRuns(question, stateRows))];
}

function questionRuns({ instructions, options }, stateRows) {
  const ofQuestion = instructions === 0 ? 0 : instructions + SPECIAL_TOKENS;
  const ofOptions = options.reduce((sum, tokens) => sum + tokens + SPECIAL_TOKENS, 0);
  const [rows, seen] = [ofQuestion + ofOptions, stateRows + ofQuestion];
  const optionTokens = Math.floor(ofOptions / options.length);
  const parts = Math.ceil((rows * seen) / MOST_SCORES);
  const share = (whole, part) => Math.floor((whole * (part + 1)) / parts) - Math.floor((whole * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({
    rows: share(rows, part),
    seen,
    options: share(options.length, part),
    optionTokens,
  }));
}

/**
 * @param {Run} run
 * @param {import("./graph.mjs").Shape} shape
 * @returns {{ linear: number, attention: number }} multiplications with weights, and those of attention, which stay in fp32
 */
export function productsOf({ rows, seen, options, optionTokens }, { layers, width, inner }) {
  const readings = 2 * width * (rows * seen + options * optionTokens * optionTokens);
  const lastReadings = 2 * width * options * (seen + optionTokens);
  const dense = 2 * width * inner + width * width;
  return {
    linear: (layers - 1) * rows * (3 * width * width + dense) + 2 * rows * width * width + options * (2 * width * width + dense),
    attention: (layers - 1) * readings + lastReadings,
  };
}
