// Asks the same questions with their text placed in window 1, 2, 3 and 4 of a state that fills four windows. The surrounding text comes from
// unrelated articles.
import { shuffle } from "simple-statistics";
import { badInput, randomFrom, toWindows } from "./library.mjs";

export const WINDOWS = 4;
/** Longer texts would not leave enough room to be moved around. */
const MAX_CHARACTERS = 1_200;
/** A longer sentence could span so much of a window that the text no longer fits inside it. */
const MAX_SENTENCE_TOKENS = 60;

/**
 * @typedef {import("./read-questions.mjs").Case} Case
 * @typedef {(text: string) => readonly number[]} Tokenize
 * @typedef {{ windowTokens: number, overlapTokens: number }} Limits
 */

/**
 * @param {readonly Case[]} cases from which `count` with a short text as state are taken
 * @param {readonly string[]} articles for the surrounding text; if empty, the other cases' states are used
 * @param {{ count: number, seed: number, limits: Limits, tokenize: Tokenize }} options
 * @returns {{ alone: Case[], byWindow: Case[][] }} the cases unchanged, and once for each window: in the same order, with the same surrounding
 *   paragraphs
 * @throws {ToolError}
 */
export function longStates(cases, articles, { count, seed, limits, tokenize }) {
  const random = randomFrom(seed);
  const { mostTokens, roomTokens } = sizesFor(limits);
  const texts = shuffle(
    cases.filter(({ state }) => typeof state === "string" && state.trim() !== "" && state.length <= MAX_CHARACTERS),
    random,
  );
  const alone = texts.filter(({ state }) => tokenize(state).length <= roomTokens).slice(0, count);
  const sources = articles.length > 0 ? articles : texts.map(({ state }) => state);
  const paragraphs = sources.flatMap((source) => source.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ""));
  const byWindow = Array.from({ length: WINDOWS }, () => []);
  for (const one of alone) {
    const others = shuffle(paragraphs, random).filter((paragraph) => !one.state.includes(paragraph));
    const around = sentencesOf(others, mostTokens - tokenize(one.state).length, tokenize);
    byWindow.forEach((placed, window) => placed.push({ ...one, state: placedIn(window, one.state, around, { limits, tokenize }) }));
  }
  return { alone, byWindow };
}

/** Tokens in the longest state of four windows, and in the longest text that always fits into the part that belongs to one window alone. */
function sizesFor({ windowTokens, overlapTokens }) {
  const step = windowTokens - 2 - overlapTokens;
  return { mostTokens: overlapTokens + WINDOWS * step, roomTokens: step - overlapTokens - MAX_SENTENCE_TOKENS };
}

/** Chooses whole paragraphs with at most `most` tokens, and nearly that many, and returns their sentences. */
function sentencesOf(paragraphs, most, tokenize) {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const chosen = [];
  let tokens = 0;
  for (const paragraph of paragraphs) {
    const sentences = Array.from(segmenter.segment(paragraph), ({ segment }) => segment.trim())
      .filter((text) => text !== "")
      .map((text) => ({ text, tokens: tokenize(text).length, ends: false }));
    const length = sentences.reduce((sum, sentence) => sum + sentence.tokens, 0);
    if (tokens + length > most || sentences.some((sentence) => sentence.tokens > MAX_SENTENCE_TOKENS)) continue;
    const last = sentences.at(-1);
    if (last === undefined) continue;
    last.ends = true;
    chosen.push(...sentences);
    tokens += length;
    if (tokens > most - MAX_SENTENCE_TOKENS / 2) return chosen;
  }
  throw badInput(`The data folder has too little text to fill ${WINDOWS} windows around a state. Use --long 0 to leave long states out.`);
}

/** Builds the state with `text` as a paragraph between two sentences, at a place that only this window covers. */
function placedIn(window, text, around, { limits, tokenize }) {
  const size = tokenize(text).length;
  const tokens = size + around.reduce((sum, sentence) => sum + sentence.tokens, 0);
  const own = ownPart(window, tokens, limits);
  const target = (own.start + own.end - size) / 2;
  let start = 0;
  let best = { at: 0, start: 0 };
  around.forEach((sentence, i) => {
    start += sentence.tokens;
    if (Math.abs(start - target) < Math.abs(best.start - target)) best = { at: i + 1, start };
  });
  const before = joined(around.slice(0, best.at));
  const state = [before, text, joined(around.slice(best.at))].filter((part) => part !== "").join("\n\n");
  const found = { start: tokenize(before).length, end: tokenize(before).length + size };
  if (found.start < own.start || found.end > own.end || tokenize(state).length !== tokens)
    throw new RangeError(
      `a text of ${size} tokens at ${found.start} is not inside the part that only window ${window + 1} covers, ${own.start} to ${own.end}`,
    );
  return state;
}

/** The range of tokens that only window `window` covers, in a state of `tokens` tokens. */
function ownPart(window, tokens, { windowTokens, overlapTokens }) {
  const windows = toWindows(tokens, windowTokens - 2, overlapTokens);
  if (windows.length !== WINDOWS) throw new RangeError(`a state of ${tokens} tokens fills ${windows.length} windows, not ${WINDOWS}`);
  const before = windows[window - 1];
  return { start: before === undefined ? 0 : before.start + before.length, end: windows[window + 1]?.start ?? tokens };
}

function joined(sentences) {
  return sentences.map(({ text, ends }, i) => text + (i === sentences.length - 1 ? "" : ends ? "\n\n" : " ")).join("");
}
