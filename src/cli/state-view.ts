import type { JsonValue, Text } from "../decide/types.ts";
import type { Screen } from "./answer-view.ts";
import { escapeControls, wrap } from "./terminal-text.ts";

/** Lines of a state that are shown at most; all of it is read by the model. */
const MAX_LINES = 10;
/** Of a longer one fewer are shown: to leave out a line or two would save nothing. */
const MAX_LINES_OF_LONG = 8;
const INDENT_CELLS = 2;

interface Line {
  readonly depth: number;
  readonly text: string;
}

/** A state, trimmed for the eye; structured ones as an outline. */
export function showState(state: Text, { width, paint }: Screen): string[] {
  const lines = outline(state, 0).flatMap((line) => layOut(line, width - 2));
  const shown = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES_OF_LONG) : lines;
  const left = lines.length - shown.length;
  const note = left > 0 ? [`… ${left.toLocaleString("en")} more lines (the model reads all)`] : [];
  return [...shown, ...note].map((line) => paint("dim", `│ ${line}`.trimEnd()));
}

function outline(value: JsonValue, depth: number): Line[] {
  if (typeof value === "string") return value.split(/\r?\n/u).map((text) => ({ depth, text }));
  if (value === null || typeof value !== "object") return [{ depth, text: JSON.stringify(value) }];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => after("- ", outline(item, depth + 1), depth));
  return Object.entries(value).flatMap(([key, item]) => {
    const lines = outline(item, depth + 1);
    const isShort = lines.length === 1 && (item === null || typeof item !== "object");
    return isShort ? after(`${key}: `, lines, depth) : [{ depth, text: `${key}:` }, ...lines];
  });
}

/** Lines with `start` before the first of them, which moves to `depth`. */
function after(start: string, [first, ...more]: readonly Line[], depth: number): Line[] {
  return [{ depth, text: start + (first?.text ?? "") }, ...more];
}

function layOut({ depth, text }: Line, cells: number): string[] {
  // However deep it goes, half of the line is for the text.
  const indent = " ".repeat(Math.min(depth * INDENT_CELLS, Math.floor(cells / 2)));
  return wrap(escapeControls(text.replaceAll("\t", "  ")), cells - indent.length).map((line) => indent + line);
}
