import { bucketOf, BUCKETS, MIN_QUESTIONS, UNCALIBRATED, type TypeResult } from "./fit.ts";
import { argmax } from "../../../library/decide/questions/question-kind.ts";
import { ANSWERING } from "../../../library/decide/questions/question-kinds.ts";
import type { Calibration, QuestionType } from "../../../library/engine/engine.ts";
import { calibrationError, accuracy, mean } from "../../../library/statistics/metrics.ts";
import { logOf } from "../../../library/statistics/softmax.ts";
import { ANSWER_KINDS } from "../../rows/answers.ts";
import { columns, escapeControls, wrap } from "../../cli/output/terminal-text.ts";
import type { Screen } from "../../cli/output/screen.ts";

interface CalibrationMetrics {
  readonly accuracy: number;
  /** Mean negative log-likelihood of the right answers, 0 or more; less is better. */
  readonly logLoss: number;
  /** Expected calibration error, 15 bins, 0 to 1; less is better. */
  readonly calibrationError: number;
}

/** The effect of a calibration on the questions of a type, or for choices with about as many options. */
export interface PartReport {
  readonly type: QuestionType;
  /** Of choices: those of one bucket, with up to so many options and more than the bucket before. Absent: all questions of the type. */
  readonly maxOptions?: number;
  readonly questions: number;
  /** Absent where nothing was fitted, and for all choices together. */
  readonly temperature?: number;
  readonly bias?: number;
  /** Whether a bucket has too few questions for a temperature of its own, and so that of all choices. */
  readonly isShared?: boolean;
  readonly before: CalibrationMetrics;
  /** Each question answered by what was fitted on other texts. Absent where nothing was fitted. */
  readonly after?: CalibrationMetrics;
  /** Why nothing was fitted, in words that follow a colon. */
  readonly reason?: string;
}

export interface CalibrationReport {
  readonly file: string;
  readonly folder: string;
  readonly model: string;
  readonly device: string;
  readonly precision: string;
  readonly rows: number;
  readonly questions: number;
  readonly tooLong: number;
  readonly parts: readonly PartReport[];
}

export function partsOf(results: readonly TypeResult[]): PartReport[] {
  return results.flatMap(({ type, scored, fit, outOfFold, reason }) => {
    if (scored.length === 0) return [];
    const rows = scored.map(({ scores, answer }, i): Row => {
      return { answer, before: ANSWERING[type].calibrate(scores, UNCALIBRATED), after: outOfFold?.[i] };
    });
    const whole = {
      type,
      questions: rows.length,
      ...(fit && type !== "choice" && { ...(fit.temperatures as Calibration["noul" | "score"]) }),
      ...metricsOf(rows),
      ...(reason !== undefined && { reason }),
    };
    return [whole, ...(type === "choice" ? bucketsOf(rows, fit?.temperatures as Calibration["choice"] | undefined) : [])];
  });
}

/** The index of a question's right criterion, and its probabilities. */
interface Row {
  readonly answer: number;
  readonly before: Float64Array;
  readonly after: Float64Array | undefined;
}

function bucketsOf(rows: readonly Row[], fitted: Calibration["choice"] | undefined): PartReport[] {
  return BUCKETS.choice.flatMap((maxOptions, bucket) => {
    const within = rows.filter(({ before }) => bucketOf("choice", before.length) === bucket);
    if (within.length === 0) return [];
    const temperature = fitted?.[bucket]?.temperature;
    const facts = temperature === undefined ? {} : { temperature, isShared: within.length < MIN_QUESTIONS };
    return [{ type: "choice", maxOptions, questions: within.length, ...facts, ...metricsOf(within) }];
  });
}

function metricsOf(rows: readonly Row[]): Pick<PartReport, "before" | "after"> {
  const of = (when: "before" | "after"): CalibrationMetrics => {
    const answers = rows.map(({ answer, [when]: p = new Float64Array() }) => {
      const given = argmax(p);
      return { probability: p[given] ?? 0, isRight: given === answer, loss: -logOf(p[answer] ?? 0) };
    });
    return { accuracy: accuracy(answers), logLoss: mean(answers.map(({ loss }) => loss)), calibrationError: calibrationError(answers) };
  };
  return { before: of("before"), ...(rows[0]?.after && { after: of("after") }) };
}

const shown = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? "";
const metric =
  (name: keyof CalibrationMetrics, when: "before" | "after") =>
  (part: PartReport): string =>
    shown(part[when]?.[name], 3);

const COLUMNS: readonly (readonly [head: string, cell: (part: PartReport) => string])[] = [
  ["questions", ({ questions }) => String(questions)],
  ["temperature", ({ temperature }) => shown(temperature, 2)],
  ["bias", ({ bias }) => shown(bias, 2)],
  ["accuracy", metric("accuracy", "before")],
  ["after", metric("accuracy", "after")],
  ["log-loss", metric("logLoss", "before")],
  ["after", metric("logLoss", "after")],
  ["ECE", metric("calibrationError", "before")],
  ["after", metric("calibrationError", "after")],
];

export function showCalibration(report: CalibrationReport, { paint, width }: Screen): string {
  const { file, folder, model, precision, device, rows, questions, tooLong, parts } = report;
  const used = COLUMNS.filter(([, cell]) => parts.some((part) => cell(part) !== ""));
  const table = columns([["", ...used.map(([head]) => head)], ...parts.map((part) => [nameOf(part), ...used.map(([, cell]) => cell(part))])]);
  const head = `${file}: ${questions} questions in ${rows} ${rows === 1 ? "row" : "rows"}, ${model} (${precision}, ${device})`;
  const left = tooLong === 0 ? [] : [`${tooLong} ${tooLong === 1 ? "question is" : "questions are"} too long, and left out.`];
  const how = "Before: at temperature 1. After: each question answered by what was fitted on other texts. Log-loss and ECE: less is better.";
  return `${[
    ...wrapped(head, width),
    "",
    table.replace(/^.*$/mu, (line) => paint("bold", line)),
    "",
    ...wrapped(how, width).map((line) => paint("dim", line)),
    ...[...left, ...parts.flatMap(noteOn)].flatMap((note) => wrapped(note, width).map((line) => paint("yellow", line))),
    "",
    ...wrapped(`The model in ${folder} is calibrated. Lessons that were taught with it before hold no longer: teach them again.`, width),
  ].join("\n")}\n`;
}

function wrapped(text: string, width: number): string[] {
  return wrap(escapeControls(text), width);
}

function nameOf({ type, maxOptions }: PartReport): string {
  return maxOptions === undefined ? ANSWER_KINDS[type].title : `  ${rangeOf(maxOptions)}`;
}

/** For example `3 to 5 options`. */
function rangeOf(maxOptions: number): string {
  const least = (BUCKETS.choice[BUCKETS.choice.indexOf(maxOptions) - 1] ?? 1) + 1;
  return least === maxOptions ? `${maxOptions} options` : `${least} to ${maxOptions} options`;
}

function noteOn({ type, maxOptions, isShared, before, after, reason }: PartReport): string[] {
  if (reason !== undefined) return [`${ANSWER_KINDS[type].title} stays as it was: ${reason}.`];
  if (isShared === true && maxOptions !== undefined)
    return [`${rangeOf(maxOptions)}: fewer than ${MIN_QUESTIONS} questions, so the temperature is that of all choices.`];
  // Of buckets, some are worse by chance.
  if (maxOptions === undefined && after !== undefined && after.logLoss > before.logLoss)
    return [`${ANSWER_KINDS[type].title}: what was fitted is no better than temperature 1 on other texts. More rows may help.`];
  return [];
}
