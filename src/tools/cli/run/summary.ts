import type { Questions } from "../../../library/decide/types.ts";
import { ANSWER_KINDS, nameInFiles } from "../../rows/answers.ts";
import { answersBlock, type Plan } from "../../run/plan.ts";
import type { Tally } from "../../run/tally.ts";
import type { Io } from "../io.ts";
import { bar, clip, escapeControls, fit, oneLine, percent, widthOf, wrap } from "../output/terminal-text.ts";
import { durationOf, progressLine, writeResult, type OutputFlags, type Screen, type TerminalStream } from "../output/screen.ts";
import { STANDARD_OUTPUT } from "../../run/output.ts";
import type { RowCount } from "../../run/input.ts";
import { SOME_LEFT_OUT } from "../../rows/row-notes.ts";

/** Says what a run has done: on standard output, or on standard error if the answers are there, for people unless --json is given. @returns the exit code */
export function tellSummary(io: Io, summary: Summary, flags: OutputFlags): number {
  const [stdout, how] = summary.out === STANDARD_OUTPUT ? [io.stderr, { ...flags, pretty: true as const }] : [io.stdout, flags];
  writeResult({ stdout, env: io.env }, how, jsonOf(summary), (screen) => showSummary(summary, screen));
  return summary.tally.failed > 0 ? SOME_LEFT_OUT : 0;
}

function jsonOf({ input, out, plan, tally, answeredNow, seconds }: Summary): unknown {
  const { model, shard } = plan;
  return {
    input,
    out,
    model: model.id,
    device: model.device,
    precision: model.precision,
    ...(shard !== null && { shard: `${shard.index}/${shard.of}` }),
    ...jsonOfTally(plan.questions, tally),
    ...(answeredNow > 0 && { answeredNow, seconds, rowsPerSecond: answeredNow / seconds }),
  };
}

const BAR_CELLS = 30;
const MAX_BARS = 10;
const MAX_LABEL_CELLS = 30;

interface Summary {
  readonly input: string;
  readonly out: string;
  readonly plan: Plan;
  readonly tally: Tally;
  /** Rows that this run answered, and not one before it; 0: the time says nothing. */
  readonly answeredNow: number;
  readonly seconds: number;
}

function showSummary(summary: Summary, screen: Screen): string {
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

interface QuestionCounts {
  readonly id: string;
  /** By option: of a noul yes and no, of a score the number of the level. */
  readonly counts: readonly (readonly [option: string, count: number])[];
}

function countsOf(questions: Questions, { answers }: Tally): QuestionCounts[] {
  return Object.entries(questions).map(([id, question], i) => ({
    id,
    counts: ANSWER_KINDS[question.type]
      .options(question)
      .map(([key], k) => [nameInFiles(question.type, key), answers[i]?.[k] ?? 0] as const),
  }));
}

export function jsonOfTally(questions: Questions, tally: Tally): Readonly<Record<string, unknown>> {
  const { rows, failed, toPerson, inputTokens, outputTokens, failures } = tally;
  const answers = Object.fromEntries(countsOf(questions, tally).map(({ id, counts }) => [id, Object.fromEntries(counts)]));
  return { rows, failed, toPerson, inputTokens, outputTokens, answers, failures };
}

/** For example `1 row`, `12,345 rows`. */
export function rowsText(rows: number): string {
  return `${numberText(rows)} ${rows === 1 ? "row" : "rows"}`;
}

/** For example `12,345`. */
export function numberText(number: number): string {
  return number.toLocaleString("en-US");
}

const PROGRESS_CELLS = 16;
const DEFAULT_WIDTH = 80;
const MAX_SHARES = 3;

/**
 * Says how far a run is: rows a second, time left, what the answers are, and how many rows a person should answer. In a terminal it is one line with a bar,
 * elsewhere a line every 30 seconds.
 */
export interface RunBar {
  /** @param done what earlier runs answered */
  start(done: Tally): void;
  update(sum: Tally): void;
  clear(): void;
}

/** @param count undefined: nobody knows @param now a clock, in milliseconds */
export function runBar(
  stream: TerminalStream & { readonly columns?: number | undefined },
  plan: Plan,
  count: RowCount | undefined,
  now: () => number = () => performance.now(),
): RunBar {
  const isTerminal = stream.isTTY === true;
  const width = isTerminal ? (stream.columns ?? DEFAULT_WIDTH) - 1 : Infinity;
  const line = progressLine(stream, undefined, { isLogged: true, now });
  const total = count && rowsOfShard(plan, count.rows);
  let rowsBefore = 0;
  let startMs = 0;
  const farParts = ({ rows }: Tally): string[] => {
    if (total === undefined) return [rowsText(rows)];
    const share = Math.min(1, rows / Math.max(1, total));
    const text = percent(share);
    return [isTerminal ? `${bar(share, PROGRESS_CELLS)}${text}` : text.trim(), rowsText(rows)];
  };
  const shareParts = (sum: Tally): string[] => {
    const answered = sum.rows - sum.failed;
    const [first] = countsOf(plan.questions, sum);
    if (answered === 0 || first === undefined) return [];
    const likeliest = first.counts.filter(([, times]) => times > 0).sort(([, a], [, b]) => b - a);
    const shares = likeliest.slice(0, MAX_SHARES).map(([key, times]) => `${oneLine(key)} ${percent(times / answered).trim()}`);
    return [shares.join(", "), `to a person ${percent(sum.toPerson / answered).trim()}`];
  };
  const textOf = (sum: Tally, nowMs: number): string => {
    const seconds = (nowMs - startMs) / 1000;
    const rowsPerSecond = (sum.rows - rowsBefore) / seconds;
    const isRunning = seconds > 0 && rowsPerSecond > 0;
    return [
      ...farParts(sum),
      ...(isRunning ? [`${rowsPerSecond.toFixed(rowsPerSecond < 10 ? 1 : 0)} rows/s`] : []),
      ...(isRunning && total !== undefined ? [`${durationOf((1000 * Math.max(0, total - sum.rows)) / rowsPerSecond)} left`] : []),
      ...(sum.failed > 0 ? [`${sum.failed} failed`] : []),
      ...shareParts(sum),
    ].join(" · ");
  };
  const update = (sum: Tally): void => {
    line.draw((nowMs) => clip(textOf(sum, nowMs), width));
  };
  return {
    start(done) {
      rowsBefore = done.rows;
      startMs = now();
      update(done);
    },
    update,
    clear: line.clear.bind(line),
  };
}

function rowsOfShard(plan: Plan, rows: number): number {
  if (plan.shard === null) return rows;
  let sum = 0;
  for (let block = 0; block * plan.block < rows; block++)
    if (answersBlock(plan, block)) sum += Math.min(plan.block, rows - block * plan.block);
  return sum;
}
