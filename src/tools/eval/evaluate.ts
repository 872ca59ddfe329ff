import { writeFile } from "node:fs/promises";
import type { LessonFlags, ModelFlags } from "../cli/input/flags.ts";
import type { RowsFlags } from "../cli/input/request-flags.ts";
import { learnLessons } from "../cli/input/read-input.ts";
import type { CreateDecider, Io } from "../cli/io.ts";
import { checkWritable, makeFolderOf } from "../cli/output/check-writable.ts";
import { noteSlowDevice, noteUnusedLessons, notice, progressLine, writeResult, type OutputFlags } from "../cli/output/screen.ts";
import { escapeControls } from "../cli/output/terminal-text.ts";
import { readCases, type Case } from "./cases.ts";
import { compare, showComparison, judge, type Measure, type Requirement } from "./compare.ts";
import { outcomeOf, reportOf, sameOptions, showReport, type Asked, type EvalReport } from "./report.ts";
import { ANSWER_KINDS, sharesByName } from "../rows/answers.ts";
import type { Answer, Question } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import { DecideError } from "../../errors.ts";
import { RowNotes } from "../rows/row-notes.ts";
import { badInput, inWords } from "../tool-error.ts";
import { confidenceOf } from "../cli/output/sureness.ts";

export interface EvalFlags extends RowsFlags, ModelFlags, LessonFlags, OutputFlags {
  readonly threshold: number;
  readonly out?: string;
  readonly by: Measure;
  readonly require?: readonly Requirement[];
  readonly write?: string;
}

/** Of answers that may be acted on, where several wordings are compared and nobody gave another rate. */
const DEFAULT_ERROR_RATE = 0.1;
/** The exit code if a requirement is not met: no failure (1), and no bad input (2). */
const FELL_SHORT = 4;

/** Everything that can be wrong with the input is found before the first question is asked. Results are written at the end, or not at all. */
export async function evaluate(io: Io, createDecider: CreateDecider, file: string, flags: EvalFlags): Promise<void> {
  const { threshold, out, by, require: required = [], write, device, model, precision, threads } = flags;
  const notes = new RowNotes(file);
  const { cases, areRequests, wordings } = await readCases(io, file, flags, notes);
  const isComparison = wordings.length > 1;
  if (areRequests && required.some(({ name }) => name === "macro-f1") && !sameOptions(cases.flatMap(optionsIn)))
    throw badInput(`${file} has questions with different options, which have no macro-F1: require another figure.`);
  const questions = write === undefined ? [] : questionsOfAll(file, cases, wordings.length);
  for (const written of [out, write]) if (written !== undefined) await checkWritable(written);

  await using decider = createDecider({ device, model, precision, threads });
  await learnLessons(decider, flags.lessons);
  const info = await decider.info();
  noteSlowDevice(io, info);
  const given = [flags.maxErrorRate, ...required.map(({ rate }) => rate)].filter((rate) => rate !== undefined);
  const maxErrorRate = given[0] ?? (isComparison ? DEFAULT_ERROR_RATE : undefined);
  // An answer says what it is worth at one rate.
  const rates = [...new Set([maxErrorRate, ...given])];
  const progress = progressLine(io.stderr, cases.length);
  progress.update(0);
  const byRate = await askCases(decider, notes, cases, rates, progress.update.bind(progress)).finally(progress.clear.bind(progress));
  const rows = new Set(byRate.get(maxErrorRate)?.map(({ line }) => line)).size;
  notes.checkSome(rows);

  const askedAt = (rate: number | undefined, i: number): readonly Asked[] =>
    (byRate.get(rate) ?? []).filter(({ question }) => !isComparison || question === String(i + 1));
  // Rows of labelled texts may offer only some of the labels, but a label means the same in all of them.
  const reportAt = (rate: number | undefined, i: number): EvalReport =>
    reportOf(askedAt(rate, i), threshold, areRequests ? undefined : true);
  const reports = wordings.map((_, i) => reportAt(maxErrorRate, i));
  const [report] = reports as [EvalReport, ...EvalReport[]];
  const answers = wordings.map((_, i) => askedAt(maxErrorRate, i));
  const comparison = isComparison ? compare(answers, by) : undefined;
  const best = (comparison?.best ?? 1) - 1;
  const requirements = required.length === 0 ? undefined : judge(required, (rate) => reportAt(rate ?? maxErrorRate, best));
  const writeTo = async (path: string, text: string): Promise<void> => {
    await makeFolderOf(path);
    await writeFile(path, text).catch(inWords((why) => `${path} cannot be written: ${why}.`));
  };
  if (out !== undefined) await writeTo(out, (byRate.get(maxErrorRate) ?? []).map(lineOf).join(""));
  if (write !== undefined) await writeTo(write, `${JSON.stringify(questions[best], null, 2)}\n`);
  noteUnusedLessons(io, flags, Math.max(...reports.map(({ taught }) => taught)));
  notes.tell(io);

  const ran = { model: info.model, device: info.device, precision: info.precision };
  const figures = comparison ? { wordings: wordings.map((wording, i) => ({ wording, ...reports[i] })), comparison } : report;
  const result = { file, rows, leftOut: notes.leftOut, ...ran, maxErrorRate, ...figures, requirements };
  writeResult(io, flags, result, (screen) => {
    const title = `${file}: ${rows} ${rows === 1 ? "row" : "rows"}, ${info.model} (${info.precision}, ${info.device})`;
    const shown = comparison ? showComparison({ wordings, reports, comparison, maxErrorRate }, screen) : showReport(report, screen);
    return `${escapeControls(title)}\n\n${shown}`;
  });
  for (const { require, value } of requirements?.filter(({ isMet }) => !isMet) ?? []) {
    io.exitCode = FELL_SHORT;
    notice(io, `${require} is not met: it is ${Number(value.toFixed(4))}.`);
  }
}

function optionsIn({ questions }: Case): Pick<Asked, "type" | "options">[] {
  return Object.values(questions).map((question) => {
    return { type: question.type, options: ANSWER_KINDS[question.type].options(question).map(([key]) => key) };
  });
}

/** The questions of the wordings, which all rows have. @throws {ToolError} if rows have their own */
function questionsOfAll(file: string, cases: readonly Case[], count: number): Question[] {
  const [first = "[]", ...others] = new Set(cases.map(({ questions }) => JSON.stringify(Object.values(questions))));
  const questions = JSON.parse(first) as Question[];
  if (others.length === 0 && questions.length === count) return questions;
  throw badInput(`${file} has questions or options of its own in its rows, so there is no one question to write: leave out --write.`);
}

function lineOf(asked: Asked): string {
  const { line, id, question, type, truth, said, isRight, probability, confidence, statedAccuracy, warnings, lesson, act } = asked;
  const stated = { probability, confidence, x_accuracy: statedAccuracy, x_lesson: lesson, x_act: act, x_warnings: warnings };
  const fields = { line, id, question, type, truth, said, right: isRight, ...stated };
  return `${JSON.stringify(fields)}\n`;
}

/**
 * Asks all questions of all cases, in the order of the cases. A case is asked once for each rate, one after the other: its state is still read then.
 * @param rates of errors, for answers that say whether they can be acted on
 * @param onCase called after each case with the number of cases done
 * @param notes is told of states that are too long
 * @returns the answers by rate
 */
async function askCases(
  decider: Pick<Decider, "decide">,
  notes: RowNotes,
  cases: readonly Case[],
  rates: readonly (number | undefined)[],
  onCase: (done: number) => void,
): Promise<ReadonlyMap<number | undefined, readonly Asked[]>> {
  const byRate = new Map(rates.map((rate) => [rate, [] as Asked[]]));
  for (const [i, one] of cases.entries()) {
    const { line, id: rowId, state, questions, truths } = one;
    try {
      for (const [maxErrorRate, asked] of byRate) {
        const { answers } = await decider.decide({ state, questions }, { maxErrorRate });
        for (const [id, answer] of Object.entries<Answer>(answers)) {
          const truth = truths[id] ?? "";
          const { x_warnings: warnings, x_lesson: lesson, x_act: act } = answer;
          const stated = { truthProbability: sharesByName(answer)[truth] ?? 0, confidence: confidenceOf(answer), warnings, lesson, act };
          asked.push({ line, id: rowId, question: id, ...outcomeOf(answer, truth), ...stated });
        }
      }
    } catch (error) {
      if (!DecideError.isInstance(error) || error.code !== "input_too_long") throw error;
      notes.leaveOut(one, error.message.replace(/\.$/u, ""));
    }
    onCase(i + 1);
  }
  return byRate;
}
