// Which requests are timed, and for how long.

/** @typedef {import("./requests.mjs").Size} Size */

const OPTIONS = [2, 5, 10, 25, 77, 255];
const TOKENS = [32, 144, 512, 2048, 8192];
const QUESTIONS = [1, 5, 20];

/** The requests that the targets speak of. */
export const TARGET_SIZES = {
  usual: { options: 10, tokens: 144, questions: 1 },
  manyOptions: { options: 77, tokens: 64, questions: 1 },
  manyQuestions: { options: 5, tokens: 512, questions: 20 },
};

/** What the figures show: one size grows, the others stay. */
export const AXES = {
  options: OPTIONS.map((options) => ({ options, tokens: 144, questions: 1 })),
  tokens: TOKENS.map((tokens) => ({ options: 10, tokens, questions: 1 })),
  questions: QUESTIONS.map((questions) => ({ options: 5, tokens: 512, questions })),
};

/** `limitMs`: of one request; a turn that began is ended. */
const PACES = {
  quick: { turns: 5, callsATurn: 4, limitMs: 12_000 },
  usual: { turns: 12, callsATurn: 5, limitMs: 40_000 },
  full: { turns: 8, callsATurn: 4, limitMs: 30_000 },
};

const GRIDS = {
  quick: [],
  usual: Object.values(AXES).flat(),
  full: [
    ...Object.values(AXES).flat(),
    ...QUESTIONS.flatMap((questions) => TOKENS.flatMap((tokens) => OPTIONS.map((options) => ({ options, tokens, questions })))),
  ],
};

/** @param {"quick" | "usual" | "full"} extent */
export function planOf(extent) {
  const sizes = new Map([...Object.values(TARGET_SIZES), ...GRIDS[extent]].map((size) => [keyOf(size), size]));
  return { sizes: [...sizes.values()], pace: PACES[extent] };
}

/** Of the base model, whose calls and those of its peer take several times as long. @param {"quick" | "usual" | "full"} extent */
export function basePlanOf(extent) {
  const { usual, ...others } = TARGET_SIZES;
  return { sizes: extent === "quick" ? [usual] : [usual, ...Object.values(others)], pace: PACES[extent] };
}

/** @param {Size} size */
export const keyOf = ({ options, tokens, questions }) => `${options}/${tokens}/${questions}`;
