import { writeFile } from "node:fs/promises";
import type { LessonFlags, ModelFlags } from "../cli/input/flags.ts";
import type { RowsFlags } from "../cli/input/rows-flags.ts";
import { learnLessons } from "../cli/input/read-input.ts";
import type { CreateDecider, Io } from "../cli/io.ts";
import { checkWritable } from "../cli/output/check-writable.ts";
import { noteSlowDevice, noteUnusedLessons } from "../cli/output/notices.ts";
import { ProgressLine } from "../cli/output/progress.ts";
import { screenFor, writeJson } from "../cli/output/screen.ts";
import type { OutputFlags } from "../cli/output/screen.ts";
import { escapeControls } from "../cli/output/terminal-text.ts";
import { readCases } from "./cases.ts";
import { askCases } from "./outcome.ts";
import type { Asked } from "./outcome.ts";
import { showReport } from "./report-view.ts";
import { reportOf } from "./report.ts";

export interface EvalFlags extends RowsFlags, ModelFlags, LessonFlags, OutputFlags {
  readonly threshold: number;
  readonly out?: string;
}

/** Everything that can be wrong with the input is found before the first question is asked. Results are written at the end, or not at all. */
export async function evaluate(io: Io, createDecider: CreateDecider, file: string, flags: EvalFlags): Promise<void> {
  const { threshold, maxErrorRate, out, device, model, precision, threads } = flags;
  const { cases, areRequests } = await readCases(io, file, flags);
  if (out !== undefined) await checkWritable(out);

  await using decider = createDecider({ device, model, precision, threads });
  await learnLessons(decider, flags.lessons);
  const info = await decider.info();
  noteSlowDevice(io, info);
  const progress = new ProgressLine(io.stderr, cases.length);
  progress.update(0);
  const asked = await askCases(decider, file, cases, progress.update.bind(progress), { maxErrorRate }).finally(() => {
    progress.clear();
  });

  // Rows of labelled texts may offer only some of the labels, but a label means the same in all of them.
  const report = reportOf(asked, threshold, areRequests ? undefined : true);
  if (out !== undefined) await writeFile(out, asked.map(lineOf).join(""));
  noteUnusedLessons(io, flags, report.taught);
  const screen = screenFor(io, flags);
  const ran = { model: info.model, device: info.device, precision: info.precision };
  if (screen === undefined) writeJson(io, { file, rows: cases.length, ...ran, maxErrorRate, ...report });
  else {
    const title = `${file}: ${cases.length} ${cases.length === 1 ? "row" : "rows"}, ${ran.model} (${ran.precision}, ${ran.device})`;
    io.stdout.write(`${escapeControls(title)}\n\n${showReport(report, screen)}`);
  }
}

function lineOf(asked: Asked): string {
  const { line, question, type, truth, said, isRight, probability, confidence, statedAccuracy, warnings, lesson, act } = asked;
  const stated = { probability, confidence, x_accuracy: statedAccuracy, x_lesson: lesson, x_act: act, x_warnings: warnings };
  const fields = { line, question, type, truth, said, right: isRight, ...stated };
  return `${JSON.stringify(fields)}\n`;
}
