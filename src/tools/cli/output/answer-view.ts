import { renderText } from "../../../library/decide/questions/question-kind.ts";
import type {
  Answer,
  ChoiceAnswer,
  DecideRequest,
  DecideResponse,
  Description,
  NoulAnswer,
  Question,
  ScoreAnswer,
  State,
} from "../../../library/decide/types.ts";
import { Field } from "../../../library/validation/field.ts";
import { bar, clip, escapeControls, fit, oneLine, percent, scale, widthOf, wrap } from "./terminal-text.ts";
import type { Screen } from "./screen.ts";
import { isForPerson, surenessOf, warningsOf } from "./sureness.ts";

const MAX_BARS = 10;
const MAX_BAR_CELLS = 40;
/** Used beside descriptions, which need the room. */
const SHORT_BAR_CELLS = 20;
const INDENT = "  ";
const ACT = ", act";

export function showAnswer(question: Question, answer: Answer, screen: Screen): string[] {
  const { width, paint } = screen;
  const picture = PICTURES[answer.type] as Picture<Answer>;
  const warnings = warningsOf(answer).flatMap((warning) => wrap(warning, width - INDENT.length));
  return [
    ...wrap(oneLine(titleOf(question)), width).map((line) => paint("bold", line)),
    ...picture(answer, question, screen),
    ...warnings.map((line) => INDENT + paint("yellow", line)),
    ...(answer.x_lesson === undefined ? [] : [INDENT + paint("dim", `answered by ${oneLine(answer.x_lesson)}`)]),
  ];
}

type Picture<A extends Answer> = (answer: A, question: Question, screen: Screen) => string[];

const PICTURES: { readonly [T in Answer["type"]]: Picture<Extract<Answer, { type: T }>> } = {
  choice: (answer, question, screen) => showChoice(answer, question.type === "choice" ? question.criteria : {}, screen),
  noul: (answer, _, screen) => showNoul(answer, screen),
  score: (answer, _, screen) => showScore(answer, screen),
};

/** The instructions as the model reads them, or the criteria of a yes/no question without instructions. */
function titleOf(question: Question): string {
  const instructions = textOf(question.instructions ?? null);
  if (instructions !== "" || question.type !== "noul") return instructions;
  const { true: yes, false: no } = question.criteria ?? {};
  return [yes && `yes: ${textOf(yes)}`, no && `no: ${textOf(no)}`].filter(Boolean).join(" · ");
}

function textOf(text: Description): string {
  return text === null ? "" : renderText(new Field(text, []));
}

function showChoice(answer: ChoiceAnswer, criteria: { readonly [key: string]: Description }, screen: Screen): string[] {
  const { choice, probabilities } = answer;
  const likeliestFirst = Object.entries(probabilities).sort(([, a], [, b]) => b - a);
  const rows = likeliestFirst
    .slice(0, MAX_BARS)
    .map(([key, share]) => ({ label: oneLine(key), note: oneLine(textOf(criteria[key] ?? null)), share, best: key === choice }));
  const more = likeliestFirst.length - rows.length;
  return [
    ...showBars(rows, answer, screen),
    ...(more > 0 ? [screen.paint("dim", `${INDENT}… ${more} more`)] : []),
    verdict(oneLine(choice), answer, screen),
  ];
}

function showNoul(answer: NoulAnswer, { width, paint }: Screen): string[] {
  const { noul } = answer;
  const cells = Math.min(width - 12, MAX_BAR_CELLS);
  const filled = bar(noul, cells).trimEnd();
  const line = `${INDENT}yes  ${paint("cyan", filled)}${paint("dim", "░".repeat(cells - filled.length))} ${percent(noul)}`;
  const { words, measure, hint, mayAct } = surenessOf(answer);
  const said = YES_OR_NO[words](noul >= 0.5 ? "yes" : "no");
  if (hint === "") return [line, `${INDENT}→ ${paint("bold", said)}${paint("dim", `${inBrackets(measure)}${mayAct ? ACT : ""}`)}`];
  return [line, `${INDENT}→ ${paint("yellow", `${said}${inBrackets(measure)}, ${hint}`)}`];
}

const YES_OR_NO = {
  sure: (word: string) => word,
  "fairly sure": (word: string) => `probably ${word}`,
  tentative: (word: string) => `rather ${word}`,
  "not sure": () => "could be either",
} as const;

function showScore(answer: ScoreAnswer, screen: Screen): string[] {
  const { score, legend, probabilities } = answer;
  const { width, paint } = screen;
  const shares = Object.entries(probabilities);
  const largest = Math.max(...Object.values(probabilities));
  const nameOf = (level: string): string => oneLine(textOf(legend[level] ?? null)) || level;
  const rows = shares.map(([level, share]) => ({ label: nameOf(level), note: "", share, best: share === largest }));
  const { labelCells, cells } = columnsFor(rows, width);
  const { before, mark, after } = scale(score, shares.length, cells);
  const position = `${INDENT}${" ".repeat(labelCells)}  ${paint("dim", before)}${paint("cyan", mark)}${paint("dim", after)} ${score.toFixed(1).padStart(4)}`;
  const last = shares.length - 1;
  // The likeliest level, as in the bars: the expected one may lie between two that are both unlikely.
  const chosen = rows.find(({ best }) => best)?.label ?? "";
  return [...showBars(rows, answer, screen), position, verdict(`${chosen}, expected level ${score.toFixed(1)} of ${last}`, answer, screen)];
}

interface Bar {
  readonly label: string;
  readonly note: string;
  readonly share: number;
  readonly best: boolean;
}

function showBars(rows: readonly Bar[], answer: Answer, { width, paint }: Screen): string[] {
  const bestStyle = surenessOf(answer).hint === "" ? "green" : "yellow";
  const { labelCells, cells, noteCells } = columnsFor(rows, width);
  return rows.map(({ label, note, share, best }) => {
    const bright = (text: string): string => (best ? paint("bold", text) : text);
    const line = `${INDENT}${bright(fit(label, labelCells))}  ${paint(best ? bestStyle : "cyan", bar(share, cells))} ${bright(percent(share))}`;
    return noteCells > 0 && note !== "" ? `${line}  ${paint("dim", clip(note, noteCells))}` : line;
  });
}

function columnsFor(rows: readonly Bar[], width: number): { labelCells: number; cells: number; noteCells: number } {
  const longest = Math.max(...rows.map(({ label }) => widthOf(clip(label, width))));
  const labelCells = Math.min(longest, Math.floor(width * 0.4));
  // Indent, spaces and percentage take nine cells. Two more stay free for terminals that draw some characters too wide.
  const rest = width - labelCells - 11;
  const isNoted = rows.some(({ note }) => note !== "") && rest > 2 * SHORT_BAR_CELLS;
  const cells = Math.min(rest, isNoted ? SHORT_BAR_CELLS : MAX_BAR_CELLS);
  return { labelCells, cells, noteCells: isNoted ? rest - cells - 2 : 0 };
}

function verdict(what: string, answer: ChoiceAnswer | ScoreAnswer, { width, paint }: Screen): string {
  const { words, measure, hint, mayAct } = surenessOf(answer);
  const how = `${words}${inBrackets(measure)}${hint && `, ${hint}`}${mayAct ? ACT : ""}`;
  const style = hint === "" ? "dim" : "yellow";
  // The sureness is never cut. If it does not fit, it goes on a line of its own.
  const room = width - INDENT.length - 2;
  const separator = widthOf(what) + widthOf(how) + 3 <= room ? " · " : `\n${INDENT}  `;
  return `${INDENT}→ ${paint("bold", clip(what, room))}${paint(style, separator + how)}`;
}

function inBrackets(text: string): string {
  return text && ` (${text})`;
}

export interface Answered {
  readonly title: string;
  readonly request: DecideRequest;
  readonly response: DecideResponse;
  readonly elapsedMs: number;
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
  const name = clip(oneLine(title), width - 6);
  if (title !== "") blocks.unshift([paint("cyan", `── ${name} ${"─".repeat(width - 4 - widthOf(name))}`)]);
  const { model, usage } = response;
  const cost = `${escapeControls(model)} · ${tokens(usage.input_tokens, usage.output_tokens)} · ${milliseconds(elapsedMs)}`;
  blocks.push(wrap(cost, width).map((line) => paint("dim", line)));
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
