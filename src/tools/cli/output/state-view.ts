import type { State } from "../../../library/decide/types.ts";
import type { Screen } from "./screen.ts";
import { escapeControls, wrap } from "./terminal-text.ts";

/** The longest state that is shown in full. The model reads all of any state. */
const MAX_LINES = 10;
/** The lines shown of a longer state. Fewer, because leaving out only a line or two would save nothing. */
const MAX_LINES_OF_LONG = 8;
const INDENT_CELLS = 2;

interface Line {
  readonly depth: number;
  readonly text: string;
}

/** The first lines of a state. A structured state is shown as an outline. */
export function showState(state: State, { width, paint }: Screen): string[] {
  const lines = outline(state, 0).flatMap((line) => layOut(line, width - 2));
  const shown = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES_OF_LONG) : lines;
  const left = lines.length - shown.length;
  const note = left > 0 ? [`… ${left.toLocaleString("en")} more lines (the model reads all)`] : [];
  return [...shown, ...note].map((line) => paint("dim", `│ ${line}`.trimEnd()));
}

function outline(value: unknown, depth: number): Line[] {
  if (typeof value === "string") return value.split(/\r?\n/u).map((text) => ({ depth, text }));
  if (value === null || typeof value !== "object") return [{ depth, text: JSON.stringify(value) }];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => after("- ", outline(item, depth + 1), depth));
  return Object.entries(value).flatMap(([key, item]) => {
    const lines = outline(item, depth + 1);
    const isShort = lines.length === 1 && (item === null || typeof item !== "object");
    return isShort ? after(`${key}: `, lines, depth) : [{ depth, text: `${key}:` }, ...lines];
  });
}

/** Puts `start` in front of the first line, and moves that line to `depth`. */
function after(start: string, [first, ...more]: readonly Line[], depth: number): Line[] {
  return [{ depth, text: start + (first?.text ?? "") }, ...more];
}

function layOut({ depth, text }: Line, cells: number): string[] {
  // At any depth, half of the line is left for the text.
  const indent = " ".repeat(Math.min(depth * INDENT_CELLS, Math.floor(cells / 2)));
  return wrap(escapeControls(text.replaceAll("\t", "  ")), cells - indent.length).map((line) => indent + line);
}
