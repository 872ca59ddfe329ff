import { writeFile } from "node:fs/promises";
import type { LessonFlags, ModelFlags } from "../cli/input/flags.ts";
import type { RowsFlags } from "../cli/input/rows-flags.ts";
import { learnLessons } from "../cli/input/read-input.ts";
import type { CreateDecider, Io } from "../cli/io.ts";
import { checkWritable } from "../cli/output/check-writable.ts";
import { noteSlowDevice, noteUnusedLessons, progressLine } from "../cli/output/progress.ts";
import { screenFor, writeJson } from "../cli/output/screen.ts";
import type { OutputFlags } from "../cli/output/screen.ts";
import { escapeControls } from "../cli/output/terminal-text.ts";
import { readCases } from "./cases.ts";
import type { Case } from "./cases.ts";
import { outcomeOf, reportOf, showReport } from "./report.ts";
import type { Asked } from "./report.ts";
import type { Answer, DecideOptions } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import { DecideError } from "../../errors.ts";
import { RowNotes } from "../rows/row-notes.ts";
import { confidenceOf } from "../cli/output/sureness.ts";

export interface EvalFlags extends RowsFlags, ModelFlags, LessonFlags, OutputFlags {
  readonly threshold: number;
  readonly out?: string;
}

/** Everything that can be wrong with the input is found before the first question is asked. Results are written at the end, or not at all. */
export async function evaluate(io: Io, createDecider: CreateDecider, file: string, flags: EvalFlags): Promise<void> {
  const { threshold, maxErrorRate, out, device, model, precision, threads } = flags;
  const notes = new RowNotes(file);
  const { cases, areRequests } = await readCases(io, file, flags, notes);
  if (out !== undefined) await checkWritable(out);

  await using decider = createDecider({ device, model, precision, threads });
  await learnLessons(decider, flags.lessons);
  const info = await decider.info();
  noteSlowDevice(io, info);
  const progress = progressLine(io.stderr, cases.length);
  progress.update(0);
  const asked = await askCases(decider, notes, cases, progress.update.bind(progress), { maxErrorRate }).finally(() => {
    progress.clear();
  });
  const rows = new Set(asked.map(({ line }) => line)).size;
  notes.checkSome(rows);

  // Rows of labelled texts may offer only some of the labels, but a label means the same in all of them.
  const report = reportOf(asked, threshold, areRequests ? undefined : true);
  if (out !== undefined) await writeFile(out, asked.map(lineOf).join(""));
  noteUnusedLessons(io, flags, report.taught);
  notes.tell(io);
  const screen = screenFor(io, flags);
  const ran = { model: info.model, device: info.device, precision: info.precision };
  if (screen === undefined) writeJson(io, { file, rows, leftOut: notes.leftOut, ...ran, maxErrorRate, ...report });
  else {
    const title = `${file}: ${rows} ${rows === 1 ? "row" : "rows"}, ${ran.model} (${ran.precision}, ${ran.device})`;
    io.stdout.write(`${escapeControls(title)}\n\n${showReport(report, screen)}`);
  }
}

function lineOf(asked: Asked): string {
  const { line, question, type, truth, said, isRight, probability, confidence, statedAccuracy, warnings, lesson, act } = asked;
  const stated = { probability, confidence, x_accuracy: statedAccuracy, x_lesson: lesson, x_act: act, x_warnings: warnings };
  const fields = { line, question, type, truth, said, right: isRight, ...stated };
  return `${JSON.stringify(fields)}\n`;
}

/**
 * Asks all questions of all cases, in the order of the cases.
 * @param onCase called after each case with the number of cases done
 * @param options a rate of errors, for answers that say whether they can be acted on
 * @param notes is told of states that are too long
 */
async function askCases(
  decider: Pick<Decider, "decide">,
  notes: RowNotes,
  cases: readonly Case[],
  onCase: (done: number) => void,
  options: Pick<DecideOptions, "maxErrorRate"> = {},
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const [i, { line, state, questions, truths }] of cases.entries()) {
    const { answers } = await decider.decide({ state, questions }, options).catch((error: unknown) => {
      if (!DecideError.isInstance(error) || error.code !== "input_too_long") throw error;
      notes.leaveOut(line, error.message.replace(/\.$/u, ""));
      return { answers: {} };
    });
    for (const [id, answer] of Object.entries<Answer>(answers)) {
      asked.push({ line, question: id, ...outcomeOf(answer, truths[id] ?? ""), confidence: confidenceOf(answer), ...ownFieldsOf(answer) });
    }
    onCase(i + 1);
  }
  return asked;
}

function ownFieldsOf({ x_warnings: warnings, x_lesson: lesson, x_act: act }: Answer): Pick<Asked, "warnings" | "lesson" | "act"> {
  return { ...(warnings && { warnings }), ...(lesson !== undefined && { lesson }), ...(act !== undefined && { act }) };
}
