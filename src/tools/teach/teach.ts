import { readFile, realpath } from "node:fs/promises";
import type { Question } from "../../library/decide/types.ts";
import { DecideError } from "../../errors.ts";
import type { Example, Lesson, LessonMetrics, LessonReport } from "../../library/lessons/lesson.ts";
import type { Estimate } from "../../library/statistics/metrics.ts";
import { MAX_EXAMPLES } from "../../library/lessons/read-examples.ts";
import { AS_USUAL, replaceFile } from "../../files/replace.ts";
import { unlessMissing, whyUnreadable } from "../../files/system-errors.ts";
import { badInput, inWords, ToolError } from "../tool-error.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { ModelFlags, TableFlags } from "../cli/input/flags.ts";
import type { CreateDecider, Io } from "../cli/io.ts";
import { checkWritable, makeFolderOf } from "../cli/output/check-writable.ts";
import { bar, clip, columns, escapeControls, fit, oneLine, percent, widthOf, wrap } from "../cli/output/terminal-text.ts";
import { noteSlowDevice, progressLine, writeResult, type OutputFlags, type Screen } from "../cli/output/screen.ts";
import { ANSWER_KINDS } from "../rows/answers.ts";
import { examplesOf } from "../rows/examples.ts";
import { jsonObjectIn } from "../rows/json-text.ts";
import { wrongRow } from "../rows/read-rows.ts";
import { placeText, RowNotes, type RowPlace } from "../rows/row-notes.ts";
import { nameOf, STANDARD_INPUT } from "../rows/read-text.ts";

export interface TeachFlags extends ModelFlags, OutputFlags, TableFlags {
  readonly out: string;
}

/** The exit code where nothing was learned. */
export const NOTHING_LEARNED = 5;

/**
 * Everything that can be wrong with a file of examples is found before the first of them is read by the model. The lesson is written at the end, or not at all.
 * @param how `calibrate` keeps a calibration, whatever could be learned
 */
export async function teach(
  io: Io,
  createDecider: CreateDecider,
  how: "teach" | "calibrate",
  question: Question,
  file: string,
  flags: TeachFlags,
): Promise<void> {
  const { out, device, model, precision, threads } = flags;
  await checkKeepable(out);
  const total = file === STANDARD_INPUT ? undefined : await countOf(file, question, flags);

  await using decider = createDecider({ device, model, precision, threads });
  const info = await decider.info();
  noteSlowDevice(io, info);
  const progress = progressLine(io.stderr, total);
  progress.update(0);
  const seen: Seen[] = [];
  const notes = new RowNotes(file);
  const onProgress = ({ stage, done }: { stage: "reading" | "fitting"; done: number }): void => {
    if (stage === "reading") progress.update(done);
  };
  let lesson: Lesson;
  try {
    const examples = examplesOf(file, question, flags, notes, { ...flags, stdin: io.stdin });
    lesson = await decider[how](question, readOnes(examples, decider, question, notes, seen), { onProgress });
  } catch (error) {
    notes.tell(io);
    throw placed(nameOf(file), seen, error);
  } finally {
    progress.clear();
  }
  await keepLesson(out, lesson);
  notes.tell(io);

  const { suspicious, ...report } = lesson.report;
  const taught: TaughtReport = {
    file,
    out,
    lesson: lesson.id,
    ...(lesson.kind && { kind: lesson.kind }),
    model: info.model,
    device: info.device,
    precision: info.precision,
    leftOut: notes.leftOut,
    examples: lesson.examples,
    ...report,
    suspicious: suspicious.map((one) => ({ ...one, ...seen[one.index] })),
  };
  writeResult(io, flags, taught, (screen) => showTaught(taught, lesson.question, screen, how));
  if (how === "teach" && lesson.report.learned === "nothing") io.exitCode = NOTHING_LEARNED;
}

async function countOf(file: string, question: Question, flags: TeachFlags): Promise<number> {
  // They are told when the examples are read for good.
  const examples = examplesOf(file, question, flags, new RowNotes(file), flags);
  let count = 0;
  while ((await examples.next()).done !== true) count++;
  if (count > MAX_EXAMPLES) throw badInput(`${file} has ${count} examples, more than ${MAX_EXAMPLES}. Give a part of them.`);
  return count;
}

/** So many are read while the first of them is waited for. */
const READ_AHEAD = 2;

/**
 * Reads the examples that have an answer. Those whose text is too long are left out.
 * @param seen is told where each example stands that comes out, in their order
 */
async function* readOnes(
  examples: ReturnType<typeof examplesOf>,
  decider: Pick<Decider, "readExample">,
  question: Question,
  notes: RowNotes,
  seen: Seen[],
): AsyncGenerator<Example, void, void> {
  const waiting: { readonly place: Seen; readonly read: Promise<Example | undefined> }[] = [];
  const next = async (): Promise<Example[]> => {
    const { place, read } = waiting.shift() ?? {};
    const example = await read;
    if (place === undefined || example === undefined) return [];
    seen.push(place);
    return [example];
  };
  for await (const { line, id, state, answer } of examples) {
    const place = { line, id, stated: String(answer) };
    const tooLong = (error: unknown): undefined => {
      if (!DecideError.isInstance(error) || error.code !== "input_too_long") throw error;
      notes.leaveOut(place, error.message.replace(/\.$/u, ""));
    };
    const read =
      answer === undefined
        ? Promise.resolve({ state })
        : decider.readExample(question, state).then((reading) => ({ reading, answer }), tooLong);
    // Where one before it fails, nobody waits for it.
    read.catch(() => undefined);
    waiting.push({ place, read });
    if (waiting.length > READ_AHEAD) yield* await next();
  }
  while (waiting.length > 0) yield* await next();
}

/** The library's error, with the line in place of an example's index. */
function placed(file: string, seen: readonly Seen[], error: unknown): unknown {
  if (!DecideError.isInstance(error)) return error;
  // A row that is wrong in standard input, which cannot be read twice; or what reading an example threw.
  if (error.cause instanceof ToolError || DecideError.isInstance(error.cause)) return error.cause;
  const [issue] = error.issues ?? [];
  const [root, index, field] = issue?.loc ?? [];
  if (issue === undefined || root !== "examples" || typeof index !== "number") return error;
  return wrongRow(file, seen[index]?.line ?? 0, `${field ?? "it"} ${issue.msg}`);
}

/** Checks that a lesson can be written to a file: a new one, or one that holds a lesson. @param flag names it @throws {ToolError} Nothing else is ever overwritten. */
export async function checkKeepable(file: string, flag = "--out"): Promise<void> {
  await checkWritable(file);
  const content = await unlessMissing(readFile(file, "utf8")).catch((error: unknown) => {
    throw badInput(`${file} cannot be read: ${whyUnreadable(error)}.`, { cause: error });
  });
  if (content !== undefined && !Object.hasOwn(jsonObjectIn(content) ?? {}, "umpire_lesson"))
    throw badInput(`${file} exists and holds no lesson, so it is not overwritten. Name another file with ${flag}, or delete it.`);
}

/** Writes a lesson, all of it or nothing. @throws {ToolError} as `checkKeepable`, and if the system cannot write it */
export async function keepLesson(file: string, lesson: Lesson): Promise<void> {
  await checkKeepable(file);
  await makeFolderOf(file);
  // A link stays a link: its target is replaced.
  const target = await realpath(file).catch(() => file);
  await replaceFile(target, `${JSON.stringify(lesson)}\n`, AS_USUAL).catch(inWords((why) => `${file} cannot be written: ${why}.`));
}

interface Seen extends RowPlace {
  /** Its answer, by the key of the lesson's criteria. */
  readonly stated: string;
}

export interface TaughtReport extends Omit<LessonReport, "suspicious"> {
  /** How many rows were left out. */
  readonly leftOut: number;
  /** Where the examples came from, and where the lesson is. */
  readonly file: string;
  readonly out: string;
  readonly lesson: string;
  readonly kind?: Lesson["kind"];
  readonly model: string;
  readonly device: string;
  readonly precision: string;
  readonly examples: Lesson["examples"];
  readonly suspicious: readonly (LessonReport["suspicious"][number] & Partial<Seen>)[];
}

/** The error rates for which people are told how many answers can be acted on; `--json` has more. */
const SHOWN_RATES: readonly number[] = [0.05, 0.1];
/** How many suspicious examples and mistakes are shown; `--json` has more. */
const SHOWN = 5;
const MAX_TABLE_OPTIONS = 10;
const MAX_NAME_CELLS = 24;
const BAR_CELLS = 24;
const INDENT = "  ";

const FIGURES = [
  { name: "accuracy", of: ({ accuracy }: LessonMetrics) => accuracy, show: percent },
  { name: "macro-F1", of: ({ macroF1 }: LessonMetrics) => macroF1, show: percent },
  { name: "log-loss (less is better)", of: ({ logLoss }: LessonMetrics) => logLoss, show: (value: number) => value.toFixed(2) },
  { name: "calibration error (less is better)", of: ({ calibrationError }: LessonMetrics) => calibrationError, show: percent },
] as const;

const LEARNED = {
  nothing: "Nothing was learned: the examples do not show that the model's own answers can be bettered.",
  biases: "Learned: how often each answer is meant. More examples may also teach which texts it is meant for.",
  features: "Learned: which texts each answer is meant for.",
} as const;
const CALIBRATED = "How sure the answers are comes from the examples now; the answers stay the model's own, but for yes/no near 50%.";

export function showTaught(taught: TaughtReport, question: Question, screen: Screen, how: "teach" | "calibrate" = "teach"): string {
  const names = new Map(ANSWER_KINDS[question.type].options(question));
  const { file, examples, model, precision, device } = taught;
  const { paint, width } = screen;
  const without = examples.unanswered === 0 ? "" : ` and ${examples.unanswered} without an answer`;
  const head = `${file}: ${examples.answered} examples${without}, ${model} (${precision}, ${device})`;
  const parts = [
    wrap(escapeControls(head), width),
    figureLines(taught, how, screen),
    automatedLines(taught, screen),
    answerLines(taught, names, screen),
    confusionLines(taught, names, screen),
    suspiciousLines(taught, names, screen),
    taught.notes.flatMap((note) => wrap(oneLine(note), width).map((line) => paint("yellow", line))),
    [`The ${taught.kind ?? "lesson"} is in ${escapeControls(taught.out)} (${taught.lesson}).`],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function figureLines({ before, after, learned, kind }: TaughtReport, how: "teach" | "calibrate", { paint, width }: Screen): string[] {
  const lines = FIGURES.flatMap(({ name, of, show }) => {
    const [alone, taught] = [of(before), of(after)];
    // Shares fill the bar at 1, a log-loss may be larger.
    const full = Math.max(1, alone.value, taught.value);
    const line = (when: string, { value, low, high }: Estimate): string =>
      `${INDENT}${fit(when, 7)} ${paint("cyan", bar(value / full, BAR_CELLS))} ${show(value)}  ${paint("dim", `${show(low).trim()} to ${show(high).trim()}`)}`;
    return [paint("bold", name), line("before", alone), line("after", taught)];
  });
  const judged = "Every example was answered by what was learned of others. Intervals hold in 90 of 100 cases.";
  const what = [...(how === "teach" ? [LEARNED[learned]] : []), ...(kind ? [CALIBRATED] : [])].join(" ");
  return [...lines, "", ...wrap(what, width), ...wrap(judged, width).map((line) => paint("dim", line))];
}

function automatedLines({ automated }: TaughtReport, { paint, width }: Screen): string[] {
  const lines = automated
    .filter(({ maxErrorRate }) => SHOWN_RATES.includes(maxErrorRate))
    .flatMap(({ maxErrorRate, share, reason }) => {
      const line = `${INDENT}${fit(`at ${Number((100 * maxErrorRate).toFixed(2))}% errors`, 14)} ${paint("green", bar(share, BAR_CELLS))} ${percent(share)}`;
      const why = reason === undefined ? [] : wrap(oneLine(reason), width - 17).map((text) => paint("dim", `${" ".repeat(17)}${text}`));
      return [line, ...why];
    });
  return [paint("bold", "can be automated"), ...lines];
}

function answerLines({ examples: { byAnswer } }: TaughtReport, names: ReadonlyMap<string, string>, { paint }: Screen): string[] {
  const counts = [...names].map(([key, name]) => ({ name, count: byAnswer[key] ?? 0 }));
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const cells = Math.min(MAX_NAME_CELLS, Math.max(...[...names.values()].map(widthOf)));
  return [
    paint("bold", "examples by answer"),
    ...counts.map(({ name, count }) => `${INDENT}${fit(name, cells)}  ${paint("cyan", bar(count / most, BAR_CELLS))} ${count}`),
  ];
}

function confusionLines({ confusion }: TaughtReport, names: ReadonlyMap<string, string>, { paint }: Screen): string[] {
  const shown = [...names.values()].map((name) => clip(name, MAX_NAME_CELLS));
  if (shown.length > MAX_TABLE_OPTIONS) return mistakeLines(confusion, shown, paint);
  const numbers = shown.map((_, i) => String(i + 1));
  const rows = shown.map((name, i) => [`${INDENT}${numbers[i]}  ${name}`, ...(confusion[i] ?? []).map(String)]);
  return [paint("bold", "right answers (lines) and what the lesson said (columns)"), columns([["", ...numbers], ...rows])];
}

function mistakeLines(confusion: TaughtReport["confusion"], names: readonly string[], paint: Screen["paint"]): string[] {
  const mistakes = confusion
    .flatMap((row, right) => row.map((n, said) => ({ right, said, n })))
    .filter(({ right, said, n }) => right !== said && n > 0)
    .sort((a, b) => b.n - a.n)
    .slice(0, SHOWN);
  if (mistakes.length === 0) return [];
  const lines = mistakes.map(({ right, said, n }) => [`${INDENT}${names[right]}`, `read as ${names[said]}`, String(n)]);
  return [paint("bold", "most frequent mistakes"), columns(lines)];
}

function suspiciousLines({ suspicious }: TaughtReport, names: ReadonlyMap<string, string>, { paint }: Screen): string[] {
  if (suspicious.length === 0) return [];
  const name = (key = ""): string => clip(names.get(key) ?? oneLine(key), MAX_NAME_CELLS);
  const lines = suspicious
    .slice(0, SHOWN)
    .map(({ line = 0, id, stated, answer, probability }) => [
      `${INDENT}${clip(placeText({ line, id }), MAX_NAME_CELLS)}`,
      `${name(answer)} rather than ${name(stated)}`,
      percent(probability),
    ]);
  const more = suspicious.length > SHOWN ? [paint("dim", `${INDENT}… ${suspicious.length - SHOWN} more (--json)`)] : [];
  return [paint("bold", "examples whose answer may be wrong"), columns(lines), ...more];
}
