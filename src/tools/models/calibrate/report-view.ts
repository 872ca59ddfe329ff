import { BUCKETS } from "./scored.ts";
import { MIN_QUESTIONS } from "./temperatures.ts";
import { columns } from "../../cli/output/drawing.ts";
import type { Screen } from "../../cli/output/screen.ts";
import { escapeControls, wrap } from "../../cli/output/terminal-text.ts";
import type { CalibrationFigures, CalibrationReport, PartReport } from "./report.ts";

const TYPES = { choice: "choice", noul: "yes/no", score: "score" } as const;

const shown = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? "";
const figure =
  (name: keyof CalibrationFigures, when: "before" | "after") =>
  (part: PartReport): string =>
    shown(part[when]?.[name], 3);

const COLUMNS: readonly (readonly [head: string, cell: (part: PartReport) => string])[] = [
  ["questions", ({ questions }) => String(questions)],
  ["temperature", ({ temperature }) => shown(temperature, 2)],
  ["bias", ({ bias }) => shown(bias, 2)],
  ["accuracy", figure("accuracy", "before")],
  ["after", figure("accuracy", "after")],
  ["log-loss", figure("logLoss", "before")],
  ["after", figure("logLoss", "after")],
  ["ECE", figure("calibrationError", "before")],
  ["after", figure("calibrationError", "after")],
];

/** What a calibration is worth, for people. */
export function showCalibration(report: CalibrationReport, { paint, width }: Screen): string {
  const { file, folder, model, precision, device, rows, questions, tooLong, parts } = report;
  const used = COLUMNS.filter(([, cell]) => parts.some((part) => cell(part) !== ""));
  const table = columns([["", ...used.map(([head]) => head)], ...parts.map((part) => [nameOf(part), ...used.map(([, cell]) => cell(part))])]);
  const head = `${file}: ${questions} questions in ${rows} ${rows === 1 ? "row" : "rows"}, ${model} (${precision}, ${device})`;
  const how = "Before: at temperature 1. After: each question answered by what was fitted on other texts. Log-loss and ECE: less is better.";
  return `${[
    ...wrapped(head, width),
    "",
    table.replace(/^.*$/mu, (line) => paint("bold", line)),
    "",
    ...wrapped(how, width).map((line) => paint("dim", line)),
    ...notesOn(parts, tooLong).flatMap((note) => wrapped(note, width).map((line) => paint("yellow", line))),
    "",
    ...wrapped(`The model in ${folder} is calibrated. Lessons that were taught with it before hold no longer: teach them again.`, width),
  ].join("\n")}\n`;
}

function wrapped(text: string, width: number): string[] {
  return wrap(escapeControls(text), width);
}

function nameOf({ type, maxOptions }: PartReport): string {
  return maxOptions === undefined ? TYPES[type] : `  ${rangeOf(maxOptions)}`;
}

/** For example `3 to 5 options`. */
function rangeOf(maxOptions: number): string {
  const least = (BUCKETS.choice[BUCKETS.choice.indexOf(maxOptions) - 1] ?? 1) + 1;
  return least === maxOptions ? `${maxOptions} options` : `${least} to ${maxOptions} options`;
}

function notesOn(parts: readonly PartReport[], tooLong: number): string[] {
  const left = tooLong === 0 ? [] : [`${tooLong} ${tooLong === 1 ? "question is" : "questions are"} too long, and left out.`];
  return [...left, ...parts.flatMap(noteOn)];
}

function noteOn({ type, maxOptions, isShared, before, after, reason }: PartReport): string[] {
  if (reason !== undefined) return [`${TYPES[type]} stays as it was: ${reason}.`];
  if (isShared === true && maxOptions !== undefined)
    return [`${rangeOf(maxOptions)}: fewer than ${MIN_QUESTIONS} questions, so the temperature is that of all choices.`];
  // Of buckets, some are worse by chance.
  if (maxOptions === undefined && after !== undefined && after.logLoss > before.logLoss)
    return [`${TYPES[type]}: what was fitted is no better than temperature 1 on other texts. More rows may help.`];
  return [];
}
