import type { Plan } from "../../run/plan.ts";
import type { Tally } from "../../run/tally.ts";
import { bar, percent } from "../output/bars.ts";
import { durationOf } from "../output/progress-line.ts";
import type { Screen } from "../output/screen.ts";
import { escapeControls, fit, oneLine, widthOf, wrap } from "../output/terminal-text.ts";
import { countsOf, numberText, rowsText } from "./counts.ts";

const BAR_CELLS = 30;
/** Further options are only counted. */
const MAX_BARS = 10;
const MAX_LABEL_CELLS = 30;

/** What a run has done. */
export interface Summary {
  readonly input: string;
  readonly out: string;
  readonly plan: Plan;
  readonly tally: Tally;
  /** Rows that this run answered, and not one before it; 0: the time says nothing. */
  readonly answeredNow: number;
  readonly seconds: number;
}

/** What a run has done, for people. */
export function showSummary(summary: Summary, screen: Screen): string {
  const { input, out, plan, tally } = summary;
  const { model, shard } = plan;
  const of = shard === null ? "" : `, shard ${shard.index} of ${shard.of}`;
  const title = `${out}: ${rowsText(tally.rows)} of ${input}${of}, ${model.id} (${model.precision}, ${model.device})`;
  const lines = [
    screen.paint("bold", escapeControls(title)),
    ...answerLines(summary, screen),
    "",
    ...costLines(summary),
    ...failureLines(summary, screen),
  ];
  return `${lines.join("\n")}\n`;
}

/** For each question, the options that were most often the answer. */
export function answerLines({ plan, tally }: Pick<Summary, "plan" | "tally">, { paint }: Screen): string[] {
  const answered = tally.rows - tally.failed;
  if (answered === 0) return [];
  return countsOf(plan.questions, tally).flatMap(({ id, counts }) => {
    const shown = counts.toSorted(([, a], [, b]) => b - a).slice(0, MAX_BARS);
    const labels = Math.min(MAX_LABEL_CELLS, Math.max(...shown.map(([option]) => widthOf(oneLine(option)))));
    const barOf = ([option, count]: readonly [string, number]): string => {
      const share = count / answered;
      return `  ${fit(oneLine(option), labels)}  ${paint("cyan", bar(share, BAR_CELLS))} ${percent(share)}  ${numberText(count)}`;
    };
    const more = counts.length - shown.length;
    return ["", oneLine(id), ...shown.map(barOf), ...(more > 0 ? [paint("dim", `  … ${more} more`)] : [])];
  });
}

function costLines({ tally, answeredNow, seconds }: Summary): string[] {
  const { rows, failed, toPerson, inputTokens, outputTokens } = tally;
  const person = rows === failed ? [] : [`To a person: ${percent(toPerson / (rows - failed)).trim()} of the rows.`];
  const time =
    answeredNow === 0 ? [] : [`${rowsText(answeredNow)} in ${durationOf(1000 * seconds)}: ${(answeredNow / seconds).toFixed(1)} a second.`];
  return [...person, `Tokens: ${numberText(inputTokens)} in, ${numberText(outputTokens)} out.`, ...time];
}

export function failureLines({ tally }: Pick<Summary, "tally">, { width, paint }: Screen): string[] {
  if (tally.failed === 0) return [];
  const lines = tally.failures.flatMap(({ code, count, first }) =>
    wrap(`${code}: ${numberText(count)}. The first: ${escapeControls(first)}`, width - 2).map((line) => `  ${line}`),
  );
  return ["", paint("yellow", `${rowsText(tally.failed)} without an answer:`), ...lines];
}
