import { bucketFor, byKey } from "../decide/questions/question-kind.ts";
import { plainQuestion } from "../decide/questions/question-kinds.ts";
import { parseQuestion, type Criterion, type ParsedQuestion } from "../decide/request.ts";
import { A_FUNCTION, AN_ABORT_SIGNAL, checkCallOptions, isPlain, type RulesOf } from "../validation/field.ts";
import type { EngineInfo } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import type { AccuracyLine } from "../statistics/curves.ts";
import { fitCalibration } from "./fit/fit-calibration.ts";
import { adviceOf, forecastOf, MIN_FORECAST } from "./fit/forecast.ts";
import { fitLesson, whyNothing, type FittedLesson } from "./fit-lesson.ts";
import { Yielder } from "../async/signals.ts";
import { idOf, sealOf, toBase64, type Head } from "./lesson-format.ts";
import type { Lesson, LessonHead, TeachOptions, TeachProgress } from "./lesson.ts";
import { MIN_CALIBRATED, readExamples, type QuestionReader, type Row } from "./read-examples.ts";
import { reportOf } from "./report.ts";

/**
 * Teaches a question by examples. The same examples make the same lesson in any order; only `report.suspicious` names them by the order they came in.
 * @throws {DecideError} `invalid_request`, with the index of the example at fault, never its text; what the reader throws.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function teach(question: unknown, examples: unknown, reader: QuestionReader, options: TeachOptions): Promise<Lesson> {
  return learn(question, examples, reader, options, undefined, async (rows, parsed, info, yielder, onStep) => {
    const fitted = await fitLesson(rows, parsed, yielder, onStep);
    if (fitted.learned !== "nothing" || fitted.note !== undefined) return fitted;
    if (rows.length < MIN_CALIBRATED) return { ...fitted, note: adviceOf(rows.length, undefined) };
    const calibrated = await fitCalibration(rows, parsed, packLineOf(info, parsed), yielder, onStep);
    const forecast = rows.length < MIN_FORECAST ? undefined : await forecastOf(rows, parsed, calibrated.after, yielder);
    return { ...calibrated, doubting: fitted.after, ...(forecast && { forecast }), note: adviceOf(rows.length, forecast) };
  });
}

/**
 * Calibrates a question by examples: its answers stay the model's own, and probabilities, `x_accuracy` and `x_act` become those of this question.
 * The same examples make the same calibration in any order. They must be of two answers and two texts at least.
 * @throws {DecideError} and `signal.reason`, as `teach`.
 */
export async function calibrate(question: unknown, examples: unknown, reader: QuestionReader, options: TeachOptions): Promise<Lesson> {
  return learn(question, examples, reader, options, MIN_CALIBRATED, (rows, parsed, info, yielder, onStep) => {
    const why = whyNothing(rows);
    if (why !== undefined) throw new DecideError("invalid_request", why);
    return fitCalibration(rows, parsed, packLineOf(info, parsed), yielder, onStep);
  });
}

function packLineOf({ calibration }: EngineInfo, { type, criteria }: ParsedQuestion): AccuracyLine | undefined {
  return bucketFor(calibration.accuracy?.[type] ?? [], criteria.length);
}

type Fit = (
  rows: readonly Row[],
  question: ParsedQuestion,
  info: EngineInfo,
  yielder: Yielder,
  onStep: (done: number) => void,
) => Promise<FittedLesson>;

async function learn(
  question: unknown,
  examples: unknown,
  reader: QuestionReader,
  options: TeachOptions,
  minAnswered: number | undefined,
  fit: Fit,
): Promise<Lesson> {
  checkCallOptions(options, TEACH_RULES);
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const parsed = parseQuestion(question);
  // An error that the caller's function throws is an uncaught error of the caller's, not an error of the call.
  const tell = (stage: TeachProgress["stage"]) => (done: number) => {
    queueMicrotask(() => {
      onProgress?.({ stage, done });
    });
  };
  const { info, rows, unanswered } = await readExamples(parsed, examples, reader, signal, tell("reading"), minAnswered);
  const learnedFrom = rows.inOwnOrder();
  const yielder = new Yielder(signal);
  const fitted = await fit(learnedFrom, parsed, info, yielder, tell("fitting"));
  const notes = [...(fitted.note === undefined ? [] : [fitted.note]), ...notesOn(learnedFrom, rows.counts, unanswered, parsed.criteria)];
  const report = await reportOf(parsed.criteria, fitted, notes, yielder);
  const lesson = {
    umpire_lesson: 1,
    ...(fitted.kind && { kind: fitted.kind }),
    model: { id: info.model, seal: info.seal },
    question: plainQuestion(parsed),
    examples: { answered: rows.added, unanswered, byAnswer: byKey(parsed.criteria, (_, k) => rows.counts[k] ?? 0) },
    head: toPlain(fitted.head),
    accuracy: fitted.accuracy,
    risk: fitted.risk,
    report,
  } as const;
  const seal = await sealOf(lesson);
  const { umpire_lesson, ...others } = lesson;
  return { umpire_lesson, id: idOf(seal), ...others, sha256: seal };
}

const TEACH_RULES: RulesOf<TeachOptions> = { signal: AN_ABORT_SIGNAL, onProgress: A_FUNCTION };

function toPlain({ scale, biases, features }: Head): LessonHead {
  return {
    scale,
    biases: Array.from(biases),
    ...(features && { features: { size: features.mean.length, mean: toBase64(features.mean), weights: toBase64(features.weights) } }),
  };
}

/** With fewer examples of an answer, little can be learned of it. */
const FEW = 5;
const MAX_NAMES = 10;

/**
 * Notes about examples, one sentence each.
 * @param rows those that were learned from
 * @param byAnswer how many examples have which answer
 * @param unanswered how many have none
 */
function notesOn(rows: readonly Row[], byAnswer: readonly number[], unanswered: number, criteria: readonly Criterion[]): string[] {
  const answered = byAnswer.reduce((a, b) => a + b, 0);
  const namesWith = (isMeant: (count: number) => boolean): string[] =>
    criteria.filter((_, k) => isMeant(byAnswer[k] ?? 0)).map(({ key }) => key);
  const byText = new Map<string, Set<number>>();
  for (const { text, answer } of rows) byText.set(text, (byText.get(text) ?? new Set()).add(answer));
  const repeated = rows.length - byText.size;
  const contradicted = [...byText.values()].filter(({ size }) => size > 1).length;
  const none = namesWith((count) => count === 0);
  const few = namesWith((count) => count > 0 && count < FEW);
  const notes: string[] = [];
  if (none.length > 0) notes.push(`No example has ${listed(none)} as its answer: nothing says when it is right.`);
  if (few.length > 0) notes.push(`Fewer than ${FEW} examples have ${listed(few)} as their answer: more of them would help most.`);
  if (answered > rows.length)
    notes.push(
      `${rows.length} of ${answered} examples were learned from, chosen by chance, so that it ends in time; all figures are of these.`,
    );
  if (repeated > 0) notes.push(`${repeated} of ${rows.length} examples repeat the text of another one; they add little.`);
  if (contradicted > 0)
    notes.push(
      `${contradicted} ${contradicted === 1 ? "text has" : "texts have"} different answers in different examples; all of them were learned from.`,
    );
  if (unanswered > 0) notes.push(`${unanswered} examples have no answer; they are counted, and nothing was learned from them.`);
  return notes;
}

/** Keys, as far as they are plain names. */
function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX_NAMES).map((key) => (isPlain(key) ? key : "an option with a long name"));
  const more = keys.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
