import { answersBlock } from "../../run/plan.ts";
import type { Plan } from "../../run/plan.ts";
import type { RowCount } from "../../run/input.ts";
import type { Tally } from "../../run/stats.ts";
import { bar, percent } from "../output/drawing.ts";
import { durationOf, ProgressLine } from "../output/progress.ts";
import type { TerminalStream } from "../output/progress.ts";
import { clip, oneLine } from "../output/terminal-text.ts";
import { countsOf, rowsText } from "./summary.ts";

const BAR_CELLS = 16;
const DEFAULT_WIDTH = 80;
/** Options of the first question that are shown. */
const MAX_SHARES = 3;

/**
 * Says how far a run is: rows a second, time left, what the answers are, and how many rows a person should answer. In a terminal it is one line with a bar,
 * elsewhere a line every 30 seconds.
 */
export class RunBar {
  readonly #line: ProgressLine;
  readonly #plan: Plan;
  readonly #total: number | undefined;
  readonly #isTerminal: boolean;
  readonly #width: number;
  readonly #now: () => number;
  #before = 0;
  #startMs = 0;

  /** @param count undefined: nobody knows @param now a clock, in milliseconds */
  constructor(
    stream: TerminalStream & { readonly columns?: number | undefined },
    plan: Plan,
    count: RowCount | undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#isTerminal = stream.isTTY === true;
    this.#line = new ProgressLine(stream, undefined, { isLogged: true, now });
    this.#plan = plan;
    this.#total = count && rowsOfShard(plan, count.rows);
    this.#width = this.#isTerminal ? (stream.columns ?? DEFAULT_WIDTH) - 1 : Infinity;
    this.#now = now;
  }

  /** @param done what earlier runs answered */
  start(done: Tally): void {
    this.#before = done.rows;
    this.#startMs = this.#now();
    this.update(done);
  }

  update(sum: Tally): void {
    this.#line.draw((nowMs) => clip(this.#textOf(sum, nowMs), this.#width));
  }

  clear(): void {
    this.#line.clear();
  }

  #textOf(sum: Tally, nowMs: number): string {
    const seconds = (nowMs - this.#startMs) / 1000;
    const rowsPerSecond = (sum.rows - this.#before) / seconds;
    const isRunning = seconds > 0 && rowsPerSecond > 0;
    return [
      ...this.#farParts(sum),
      ...(isRunning ? [`${rowsPerSecond.toFixed(rowsPerSecond < 10 ? 1 : 0)} rows/s`] : []),
      ...(isRunning && this.#total !== undefined
        ? [`${durationOf((1000 * Math.max(0, this.#total - sum.rows)) / rowsPerSecond)} left`]
        : []),
      ...(sum.failed > 0 ? [`${sum.failed} failed`] : []),
      ...this.#shareParts(sum),
    ].join(" · ");
  }

  #farParts({ rows }: Tally): string[] {
    if (this.#total === undefined) return [rowsText(rows)];
    const share = Math.min(1, rows / Math.max(1, this.#total));
    const text = percent(share);
    return [this.#isTerminal ? `${bar(share, BAR_CELLS)}${text}` : text.trim(), rowsText(rows)];
  }

  #shareParts(sum: Tally): string[] {
    const answered = sum.rows - sum.failed;
    const [first] = countsOf(this.#plan.questions, sum);
    if (answered === 0 || first === undefined) return [];
    const likeliest = first.counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
    const shares = likeliest.slice(0, MAX_SHARES).map(([key, count]) => `${oneLine(key)} ${percent(count / answered).trim()}`);
    return [shares.join(", "), `to a person ${percent(sum.toPerson / answered).trim()}`];
  }
}

/** Of all rows, those that a shard answers. */
function rowsOfShard(plan: Plan, rows: number): number {
  if (plan.shard === null) return rows;
  let sum = 0;
  for (let block = 0; block * plan.block < rows; block++)
    if (answersBlock(plan, block)) sum += Math.min(plan.block, rows - block * plan.block);
  return sum;
}
