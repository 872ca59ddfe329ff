// @ts-check
// Reads pasted examples: JSON Lines with state and answer, or a table with the text in the first column and the answer in the second.
import { rowsOf } from "./csv.js";
import { QUESTION_KINDS } from "./question-kinds.js";

/** @typedef {import("./draft.js").Question} Question */
/** @typedef {import("./taught.js").Example} Example */
/** @typedef {{ line: number, message: string }} BadLine */

/** Names of columns in a first line that is no example. */
const HEADINGS = new Set(["answer", "label", "category", "class", "topic", "team", "target"]);

/**
 * @param {string} text
 * @param {Question} question
 * @returns {{ examples: Example[], badLines: BadLine[] }}
 */
export function readExamples(text, question) {
  const plain = text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
  const read = plain.trimStart().startsWith("{") ? readLines(plain) : readTable(plain, question);
  /** @type {BadLine[]} */
  const badLines = [];
  const examples = read.flatMap(({ line, state, answer, problem }) => {
    const known = problem === undefined ? toAnswer(answer, question) : { problem };
    if ("answer" in known) return [{ state, answer: known.answer }];
    badLines.push({ line, message: known.problem });
    return [];
  });
  return { examples, badLines };
}

/**
 * @param {string} answer that an example states
 * @param {Question} question
 */
export function answerWords(answer, { type, criteria }) {
  return QUESTION_KINDS[type].wordsOf(answer, criteria);
}

/**
 * All answers that the question has, as examples state them.
 * @param {Question} question
 * @returns {(string | boolean | number)[]}
 */
export function answersOf({ type, criteria }) {
  return QUESTION_KINDS[type].allStated(criteria);
}

/** @typedef {{ line: number, state?: unknown, answer?: unknown, problem?: string }} Read */

/**
 * @param {string} text
 * @returns {Read[]}
 */
function readLines(text) {
  return text.split("\n").flatMap((json, i) => {
    if (json.trim() === "") return [];
    const line = i + 1;
    const value = parsed(json);
    if (typeof value !== "object" || value === null)
      return [{ line, problem: 'it is not a JSON object such as {"state": "…", "answer": "…"}.' }];
    const { state, text: words = state, answer } = value;
    const isState = (typeof words === "string" && words.trim() !== "") || (typeof words === "object" && words !== null);
    return [isState ? { line, state: words, answer } : { line, problem: "it has no state. That is the text, or data." }];
  });
}

/** @param {string} json */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} text
 * @param {Question} question
 * @returns {Read[]}
 */
function readTable(text, question) {
  const [first = ""] = text.trimStart().split("\n");
  const rows = rowsOf(text, first.includes("\t") ? "\t" : first.includes(",") || !first.includes(";") ? "," : ";");
  const heading = rows[0]?.cells[1]?.trim().toLowerCase() ?? "";
  if (HEADINGS.has(heading) && "problem" in toAnswer(heading, question)) rows.shift();
  return rows.map(({ line, cells, isOpen }) => {
    const [state = "", answer] = cells;
    if (isOpen) return { line, problem: "a quotation mark is opened and never closed." };
    if (state.trim() === "") return { line, problem: "the first column, the text, is empty." };
    if (cells.length !== 2)
      return {
        line,
        problem: `it has ${cells.length === 1 ? "1 column" : `${cells.length} columns`}, and needs 2: text and answer. Put texts with commas into "quotation marks".`,
      };
    return { line, state, answer };
  });
}

/**
 * @param {unknown} given
 * @param {Question} question
 * @returns {{ answer: Example["answer"] } | { problem: string }}
 */
function toAnswer(given, { type, criteria }) {
  const words = String(given ?? "").trim();
  return words === "" ? { answer: null } : QUESTION_KINDS[type].readStated(words, criteria);
}
