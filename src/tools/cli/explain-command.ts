import { Command } from "commander";
import type { DecideRequest, Question } from "../../library/decide/types.ts";
import type { Explanation } from "../../library/explain/explain.ts";
import { badInput } from "../tool-error.ts";
import { present } from "../../library/validation/expect.ts";
import { isPlainObject } from "../../library/validation/field.ts";
import { withSource } from "./failure.ts";
import { addLessonPlaces, addModelFlags, countFrom, type LessonPlaces, type ModelFlags } from "./input/flags.ts";
import { learnLessons } from "./input/read-input.ts";
import { addRequestFlags, inputsFrom, type RequestFlags } from "./input/request-flags.ts";
import type { CreateDecider, Io } from "./io.ts";
import { showAnswer } from "./output/answer-view.ts";
import { addOutputFlags, noteSlowDevice, noteUnusedLessons, writeResult, type OutputFlags, type Screen } from "./output/screen.ts";
import { clip, escapeControls, oneLine, wrap } from "./output/terminal-text.ts";

interface Flags extends LessonPlaces, ModelFlags, OutputFlags, RequestFlags {
  readonly maxPassages?: number;
}

const MAX_IDS_CELLS = 200;

const EXAMPLES = `
The text is read once as a whole, and once more without each of its sentences or
lines; those of a long text are taken together. Beside each stands how much the
answer's log-odds change with it: above 0 it speaks for the answer, below 0
against it.

Exit codes: 0 explained, 1 failed, 2 bad input.

Examples:
  $ umpire explain --state @mail.txt --choose "Which team? billing, technical"
  $ umpire explain request.json --question route --lessons lessons/
  $ umpire explain questions.json --question route --state @mail.txt
  $ umpire explain --json --question route < request.json
`;

export function explainCommand(io: Io, createDecider: CreateDecider): Command {
  const command = new Command("explain")
    .description("say which sentences of a text made an answer")
    .argument("[file]", 'a request as JSON, or beside --state a question; "-" for standard input (the default if it is not a terminal)');
  addRequestFlags(command).option("--max-passages <number>", "how many parts the text is divided into at most (default: 32)", countFrom);
  return addOutputFlags(addModelFlags(addLessonPlaces(command)))
    .addHelpText("after", EXAMPLES)
    .action(async (file: string | undefined, flags: Flags) => {
      const [{ source, value }] = await inputsFrom(io, "explain", file === undefined ? [] : [file], flags);
      const id = idOf(value);
      const { device, model, precision, threads, maxPassages } = flags;
      await using decider = createDecider({ device, model, precision, threads });
      await learnLessons(decider, flags.lessons);
      noteSlowDevice(io, await decider.info());
      // Any value will do here: the library checks it.
      const request = value as DecideRequest;
      const explanation = await withSource(source, decider.explain(request, id, { maxPassages }));
      noteUnusedLessons(io, flags, explanation.answer.x_lesson === undefined ? 0 : 1);
      const question = present(request.questions[id], "question");
      writeResult(io, flags, explanation, (screen) => showExplanation(question, explanation, screen));
    });
}

/** The id of the question that is explained; of a request without questions "", since the library says why it is none. @throws {ToolError} if there are several */
function idOf(request: unknown): string {
  const questions = isPlainObject(request) ? request["questions"] : undefined;
  const [id = "", ...others] = isPlainObject(questions) ? Object.keys(questions) : [];
  if (others.length === 0) return id;
  const ids = clip(oneLine([id, ...others].join(", ")), MAX_IDS_CELLS);
  throw badInput(`The request has ${1 + others.length} questions. Name one with --question: ${ids}.`);
}

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
