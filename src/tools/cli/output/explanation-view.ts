import type { Question } from "../../../library/decide/types.ts";
import type { Explanation } from "../../../library/explain/explain.ts";
import { showAnswer } from "./answer-view.ts";
import type { Screen } from "./screen.ts";
import { escapeControls, wrap } from "./terminal-text.ts";

/** A smaller change of the log-odds is no reason: it moves a probability by less than three points in a hundred. */
const LEAST_CHANGE = 0.1;
/** The share of the largest change from which a passage is marked, and from which it is marked strongly. */
const MARKED = 0.2;
const STRONG = 0.5;
/** The sign and figure of a change, and a space on either side. */
const FIGURE_CELLS = 9;
/** Of a longer passage the first lines are shown. */
const MAX_LINES = 6;

/** The answer; then the text, passage by passage, with figures beside and those underlined that made the answer; and the cost. */
export function showExplanation(question: Question, explanation: Explanation, screen: Screen): string {
  const { answer, text, passages, readings } = explanation;
  const { width, paint } = screen;
  const largest = Math.max(...passages.map(({ change }) => Math.abs(change)));
  const rows = passages
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ start, end, change }) => showPassage(text.slice(start, end), change, change / largest, screen));
  const note = `+ speaks for the answer, - against it: the change of its log-odds · read ${readings} times`;
  const footer = wrap(note, width).map((line) => paint("dim", line));
  return `${[showAnswer(question, answer, screen), rows, footer].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function showPassage(text: string, change: number, share: number, { width, paint }: Screen): string[] {
  const lines = text
    .trim()
    .split(/\s*\n\s*/u)
    .flatMap((line) => wrap(escapeControls(line.replaceAll("\t", "  ")), width - FIGURE_CELLS));
  const isMarked = Math.abs(change) >= LEAST_CHANGE && Math.abs(share) >= MARKED;
  const tinted = (line: string): string => (isMarked ? paint("underline", paint(share > 0 ? "green" : "red", line)) : line);
  const strong = (line: string): string => (isMarked && Math.abs(share) >= STRONG ? paint("bold", line) : line);
  const figure = `${change > 0 ? "+" : ""}${change.toFixed(2)}`.padStart(FIGURE_CELLS - 2);
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), "…"] : lines;
  return shown.map((line, i) => `${i === 0 ? figure : " ".repeat(figure.length)}  ${strong(tinted(line))}`);
}
