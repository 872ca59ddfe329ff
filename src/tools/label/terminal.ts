import { on } from "node:events";
import { createInterface, emitKeypressEvents, type Key } from "node:readline";
import type { Io } from "../cli/io.ts";
import { columnsOf, type Paint } from "../cli/output/screen.ts";
import { escapeControls, oneLine, wrap } from "../cli/output/terminal-text.ts";
import type { LabelSession } from "./session.ts";
import { meantBy, type LabelView } from "./view.ts";

const MAX_WIDTH = 100;
const BACKSPACE = "\u007f";
const ENTER = "\r";
const NONE_SUCH = ["  That is none of the answers. Give one that is shown."];
/** Options in a line each, as long as they fit a screen; more are looked for by name. */
const SHOWN_OPTIONS = 32;

type Write = (lines: readonly string[]) => void;
type Meant = NonNullable<ReturnType<typeof meantBy>>;

/** Asks in the terminal, by one key an answer; or, where standard input is no terminal, by one line an answer. @param signal ends it */
export async function labelInTerminal(io: Io, session: LabelSession, paint: Paint, signal: AbortSignal): Promise<void> {
  const isTyped = io.stdin.isTTY === true;
  const typed = isTyped ? keysTyped(io, signal) : linesTyped(io, signal);
  const write: Write = (lines) => void io.stderr.write(`${lines.join("\n")}\n`);
  try {
    for (let view = await ready(session, signal); view !== undefined; view = await ready(session, signal)) {
      write(view.state === "asking" ? rowLines(view, io, paint) : endLines(view, io, paint));
      const next = await typed.next();
      if (next.done === true) return;
      // Backspace takes back what was typed last.
      const answer = next.value === BACKSPACE ? view.keys.undo : next.value.trim();
      if (answer === view.keys.end || (view.state === "done" && answer !== view.keys.goOn && answer !== view.keys.undo)) return;
      if (view.state === "done" && answer === view.keys.goOn) await session.goOn();
      else if (answer === view.keys.undo) {
        if (view.last === undefined) write(["  There is nothing to undo."]);
        else await told(session.undo(view.last.row), write);
      } else if (isTyped && answer === "/") await answered(session, view, await found(typed, view, write), write);
      else await answered(session, view, meantBy(answer, view) ?? NONE_SUCH, write);
    }
  } finally {
    await typed.return();
  }
}

/** @param meant or why it is none */
async function answered(session: LabelSession, view: LabelView, meant: Meant | readonly string[], write: Write): Promise<void> {
  const { current, question } = view;
  if (Array.isArray(meant)) write(meant as readonly string[]);
  else if (current !== undefined) {
    const answer = meant as Meant;
    const name = typeof answer === "string" ? answer : question.options.find(({ key }) => key === answer.key)?.name;
    write([`  ${oneLine(name ?? "")}`]);
    await told(session.answer(current.row, answer), write);
  }
}

/** An answer that cannot be written is told, and asked again: the disk may have room then. */
async function told(change: Promise<boolean>, write: Write): Promise<void> {
  await change.catch((error: unknown) => {
    write([escapeControls(`umpire: ${error instanceof Error ? error.message : String(error)}`)]);
  });
}

/** The view once something is asked, or nothing more is; undefined: it is ended. */
async function ready(session: LabelSession, signal: AbortSignal): Promise<LabelView | undefined> {
  for (;;) {
    const { view } = session;
    if (signal.aborted || view.state === "failed") return undefined;
    if (view.state !== "reading") return view;
    await session.changed(signal);
  }
}

function rowLines(view: LabelView, { stderr }: Io, paint: Paint): string[] {
  const width = Math.min(columnsOf(stderr), MAX_WIDTH);
  const { question, current, counts, keys, worth, problem } = view;
  const { options } = question;
  const text = escapeControls(current?.text ?? "");
  const shown = options.length > SHOWN_OPTIONS ? [] : options;
  const others = [`${keys.none} none of these`, `${keys.skip} skip`, ...(view.last ? [`${keys.undo} undo`] : []), `${keys.end} end`];
  return [
    "",
    paint("dim", `${counts.answered} of ${counts.rows} rows, ${oneLine(current?.place ?? "")}`),
    ...(counts.answered > 0 && counts.answered === view.rounds.at(-1)?.answered ? wrap(worth, width) : []),
    ...(problem === undefined ? [] : wrap(escapeControls(`umpire: ${problem}`), width)),
    "",
    ...text.split("\n").flatMap((line) => wrap(line, width - 2).map((part) => `  ${part}`)),
    "",
    ...wrap(oneLine(question.instructions), width).map((line) => paint("bold", line)),
    ...shown.flatMap(({ press = "", name, description = "" }) => {
      const [first = "", ...more] = wrap(`${name}${description === "" ? "" : `: ${oneLine(description)}`}`, width - 4);
      return [`  ${paint("cyan", press)} ${first}`, ...more.map((line) => `    ${line}`)];
    }),
    ...(shown.length < options.length ? [`  / and a part of its name: one of ${options.length} options`] : []),
    ...wrap(others.join(", "), width - 2).map((line) => `  ${paint("dim", line)}`),
  ];
}

function endLines({ reason = "", worth, keys, last }: LabelView, { stderr }: Io, paint: Paint): string[] {
  const width = Math.min(columnsOf(stderr), MAX_WIDTH);
  const undo = last ? `, ${keys.undo} undoes` : "";
  return [
    "",
    ...wrap(escapeControls(reason), width).map((line) => paint("bold", line)),
    ...wrap(worth, width),
    `  ${keys.goOn} goes on all the same${undo}, any other key ends`,
  ];
}

/** Finds an option by a part of its name, ended by Enter. @returns it, or why it is none */
async function found(
  typed: AsyncGenerator<string, void, void>,
  { question: { options } }: LabelView,
  write: Write,
): Promise<Meant | readonly string[]> {
  write(["  A part of its name, then Enter:"]);
  let part = "";
  for (let next = await typed.next(); next.done !== true && next.value !== ENTER; next = await typed.next())
    part = (next.value === BACKSPACE ? part.slice(0, -1) : part + next.value).toLowerCase();
  const named = options.filter(({ name }) => name.toLowerCase().includes(part));
  const exact = named.find(({ name }) => name.toLowerCase() === part);
  const [only, ...others] = exact ? [exact] : named;
  if (only && others.length === 0) return { key: only.key };
  const names = named.slice(0, SHOWN_OPTIONS).map(({ name }) => name);
  return [named.length === 0 ? "  No option has that in its name." : `  ${named.length} have it: ${names.join(", ")}`];
}

/** Keys as they are pressed. Ctrl-C, Ctrl-D and the signal end them. */
async function* keysTyped({ stdin, stderr }: Io, signal: AbortSignal): AsyncGenerator<string, void, void> {
  const terminal = stdin as Io["stdin"] & { setRawMode?: (isRaw: boolean) => unknown };
  emitKeypressEvents(stdin);
  terminal.setRawMode?.(true);
  try {
    const pressed = on(stdin, "keypress", { signal, close: ["end"] }) as AsyncIterable<[string | undefined, Key]>;
    stdin.resume();
    for await (const [text, { ctrl, name = "" }] of pressed) {
      if (ctrl === true && (name === "c" || name === "d")) return;
      if (name === "backspace") yield BACKSPACE;
      else if (name === "return" || name === "enter") yield ENTER;
      else if (text !== undefined) yield text;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stdin.pause();
    terminal.setRawMode?.(false);
    stderr.write("\n");
  }
}

async function* linesTyped({ stdin }: Io, signal: AbortSignal): AsyncGenerator<string, void, void> {
  const lines = createInterface({ input: stdin, crlfDelay: Infinity, signal });
  try {
    yield* lines;
  } finally {
    lines.close();
  }
}
