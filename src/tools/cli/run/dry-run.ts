import type { Answer } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { answerRows } from "../../run/answer-rows.ts";
import { countRows } from "../../run/input/count-rows.ts";
import type { PreparedInput } from "../../run/input/prepare.ts";
import { NO_OUTPUT } from "../../run/output/stream-output.ts";
import type { Plan } from "../../run/plan.ts";
import type { Io } from "../io.ts";
import { durationOf } from "../output/progress-line.ts";
import { screenFor, writeJson } from "../output/screen.ts";
import type { OutputFlags } from "../output/screen.ts";
import { jsonOfTally, numberText, rowsText } from "./counts.ts";
import { answerLines, failureLines } from "./summary-view.ts";

/** Rows that are answered. */
const ROWS = 100;

/** Answers some rows, writes nothing, and says how long all rows take. @param file of the rows @returns the exit code */
export async function dryRun(
  io: Io,
  decider: Decider,
  plan: Plan,
  file: string,
  input: PreparedInput,
  isForPerson: (answer: Answer) => boolean,
  flags: OutputFlags,
): Promise<number> {
  const count = await countRows(file, plan.rows);
  const few: Plan = { ...plan, shard: null, rows: { ...plan.rows, limit: Math.min(ROWS, plan.rows.limit ?? ROWS) } };
  const startMs = performance.now();
  const tally = await answerRows(decider, few, input, NO_OUTPUT, { isForPerson });
  const seconds = (performance.now() - startMs) / 1000;
  const rowsPerSecond = tally.rows / seconds;
  const secondsInAll = count && count.rows / rowsPerSecond;
  const screen = screenFor(io, flags);
  if (screen === undefined) {
    const all = count && { rows: count.rows, isExact: count.isExact, seconds: secondsInAll };
    writeJson(io, { ...jsonOfTally(plan.questions, tally), seconds, rowsPerSecond, all: all ?? null });
    return 0;
  }
  const about = count?.isExact === true ? "" : "about ";
  const lines = [
    screen.paint("bold", `${rowsText(tally.rows)} in ${durationOf(1000 * seconds)}: ${rowsPerSecond.toFixed(1)} a second.`),
    count === undefined || secondsInAll === undefined
      ? `A million rows take ${durationOf(1e9 / rowsPerSecond)}.`
      : `All ${about}${rowsText(count.rows)} take ${durationOf(1000 * secondsInAll)} on this machine; --shard divides them among several.`,
    `Tokens of a row: ${numberText(Math.round(tally.inputTokens / Math.max(1, tally.rows - tally.failed)))} in.`,
    ...answerLines({ plan, tally }, screen),
    ...failureLines({ tally }, screen),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}
