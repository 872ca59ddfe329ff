import type { DecideRequest, DecideResponse, State } from "../../../library/decide/types.ts";
import { showAnswer } from "./answer-view.ts";
import type { Screen } from "./screen.ts";
import { isForPerson } from "./sureness.ts";
import { clip, escapeControls, oneLine, widthOf, wrap } from "./terminal-text.ts";

/** An answered request, to be shown to a person. */
export interface Answered {
  /** The heading; "" for none. */
  readonly title: string;
  readonly request: DecideRequest;
  readonly response: DecideResponse;
  readonly elapsedMs: number;
  /** Whether to show the state. */
  readonly withState: boolean;
}

/** Title and state if wanted, each question with its answer, and the cost. */
export function showAnswered({ title, request, response, elapsedMs, withState }: Answered, screen: Screen): string {
  const { paint, width } = screen;
  const blocks = Object.entries(request.questions).map(([id, question]) => {
    const answer = response.answers[id];
    return answer === undefined ? [] : showAnswer(question, answer, screen);
  });
  if (withState) blocks.unshift(showState(request.state, screen));
  if (title !== "") blocks.unshift([paint("cyan", ruled(oneLine(title), width))]);
  blocks.push(wrap(footer(response, elapsedMs), width).map((line) => paint("dim", line)));
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** A summary of all requests: the number of answers that a person should check, and the cost. */
export function showTotal(answered: readonly Answered[], { paint }: Screen): string {
  const answers = answered.flatMap(({ response }) => Object.values(response.answers));
  const doubtful = answers.filter(isForPerson).length;
  const sum = (of: (one: Answered) => number): number => answered.reduce((total, one) => total + of(one), 0);
  const read = sum(({ response }) => response.usage.input_tokens);
  const written = sum(({ response }) => response.usage.output_tokens);
  const counts = `${answered.length} requests, ${answers.length} questions`;
  const forPerson = doubtful > 0 ? ` · ${paint("yellow", `${doubtful} for a person to check`)}` : "";
  return `${paint("bold", counts)}${forPerson}\n${tokens(read, written)} · ${milliseconds(sum(({ elapsedMs }) => elapsedMs))}\n`;
}

function ruled(title: string, width: number): string {
  const line = clip(title, width - 6);
  return `── ${line} ${"─".repeat(width - 4 - widthOf(line))}`;
}

function footer({ model, usage }: DecideResponse, elapsedMs: number): string {
  return `${escapeControls(model)} · ${tokens(usage.input_tokens, usage.output_tokens)} · ${milliseconds(elapsedMs)}`;
}

function tokens(read: number, written: number): string {
  return `${read.toLocaleString("en")} tokens in, ${written.toLocaleString("en")} out`;
}

function milliseconds(elapsedMs: number): string {
  return `${Math.round(elapsedMs).toLocaleString("en")} ms`;
}

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
