import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Decider } from "../../../library/decider/decider.ts";
import type { SavedLesson } from "../../../library/lessons/lesson.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { answerRows } from "../../run/answer-rows.ts";
import { totalOf, type Tally } from "../../run/tally.ts";
import { formatOf, nameTwice, takenNames } from "../../run/formats.ts";
import { countRows, openInput, prepare, type PreparedInput, type RowCount } from "../../run/input.ts";
import { mergeShards } from "../../run/merge.ts";
import { NO_OUTPUT, openOutput, STANDARD_OUTPUT, streamOutput, type Output } from "../../run/output.ts";
import type { OnError, Plan, Shard } from "../../run/plan.ts";
import { checkKeeps, connectRedis, removeFolder, type RunFile } from "../../run/queue/chunk.ts";
import { coordinate } from "../../run/queue/coordinate.ts";
import { badInput, inWords } from "../../tool-error.ts";
import { version } from "../../../version.ts";
import type { TableOptions } from "../../rows/read-rows.ts";
import type { LessonFlags, ModelFlags, TableFlags } from "../input/flags.ts";
import { learnLessons } from "../input/read-input.ts";
import { isAsked, questionsAndRows, type QuestionFlags } from "../input/request-flags.ts";
import { endBy, onEndSignal, type CreateDecider, type Io } from "../io.ts";
import { checkWritable, makeFolderOf } from "../output/check-writable.ts";
import { durationOf, noteSlowDevice, noteUnusedLessons, notice, writeResult, type OutputFlags } from "../output/screen.ts";
import { thisMachine, workersFor } from "../serve-workers.ts";
import { answerLines, failureLines, jsonOfTally, numberText, rowsText, runBar, tellSummary, type RunBar } from "./summary.ts";

/** Everything that can be wrong with what was given, besides the rows themselves, is found before the first row is asked about. @returns the exit code */
export async function run(
  io: Io,
  platform: Platform,
  createDecider: CreateDecider,
  files: readonly string[],
  flags: RunFlags,
): Promise<number> {
  if (flags.merge !== undefined) return merge(io, files, flags.merge, flags);
  const [questions, rowFile] = await questionsAndRows(io, files, flags);
  if (flags.dryRun !== true) await checkOut(outOf(flags));
  if (flags.queue !== undefined) await checkForQueue(outOf(flags), rowFile);
  const table: TableOptions = { delimiter: flags.delimiter, quotes: flags.quotes };
  const taken = takenNames(questions, flags.maxErrorRate ?? null, isTableOf(flags));
  const wanted = { state: flags.textColumn, id: flags.idColumn, copy: flags.copy, taken };
  const input = await prepare(await openInput(rowFile, { ...table, stdin: io.stdin }), wanted);
  try {
    const { device, model, precision, workers, threads } = flags;
    const shares = workersFor({ workers, threads }, await thisMachine(platform, model));
    // Rows about one state that are beside each other have it read once anyway; to keep the states of all others only takes time.
    await using decider = createDecider({ device, model, precision, ...shares, cacheBytes: 0 });
    // Workers of a queue must learn the same.
    const lessons: SavedLesson[] = [];
    const learn = async (lesson: SavedLesson): Promise<void> => {
      await decider.learn(lesson);
      lessons.push(lesson);
    };
    await learnLessons({ learn }, flags.lessons);
    const plan = await planOf(io, decider, { ...input, questions, taken }, flags);
    // Counting takes a moment, and only says how much time is left.
    const isCounted = flags.dryRun === true || flags.quiet !== true;
    const count = isCounted ? await countRows(rowFile, table, plan.rows) : undefined;
    if (flags.dryRun === true) return await dryRun(io, decider, plan, input, count, flags);
    const bar = flags.quiet === true ? undefined : runBar(io.stderr, plan, count);
    const { queue } = flags;
    if (queue === undefined)
      return await answerAll(io, flags, plan, input, bar, (output) => answerRows(decider, plan, input, output, (sum) => bar?.update(sum)));
    // The workers have models of their own.
    await decider.close();
    const found = { plan, input: resolve(rowFile), model: platform.placeOf(model ?? "") ?? plan.model.id, lessons };
    return await answerByQueue(io, { ...flags, queue }, found, input, bar);
  } finally {
    // The program that writes to the pipe is not kept waiting.
    await input.rows.return();
  }
}

/** Says something beside the bar. */
function say(io: Io, bar: RunBar | undefined, message: string): void {
  bar?.clear();
  notice(io, message);
}

async function checkOut(out: string): Promise<void> {
  if (out === STANDARD_OUTPUT) return;
  // Before hours of answering, not after.
  await formatOf(out).load?.();
  await checkWritable(out);
}

async function planOf(io: Io, decider: Decider, input: PreparedInput & Pick<Plan, "questions" | "taken">, flags: RunFlags): Promise<Plan> {
  const info = await decider.info();
  noteSlowDevice(io, info);
  const { model, seal, device, precision } = info;
  const plan: Plan = {
    umpire_run: 1,
    version,
    questions: input.questions,
    model: { id: model, seal, device, precision },
    lessons: decider.lessons().map(({ id }) => id),
    maxErrorRate: flags.maxErrorRate ?? null,
    state: input.state,
    id: flags.idColumn ?? null,
    columns: input.columns,
    taken: input.taken,
    reading: { delimiter: flags.delimiter ?? null, quotes: flags.quotes ?? null },
    copiesAll: input.copiesAll,
    rows: { limit: flags.limit ?? null, sample: flags.sample ?? null, seed: flags.seed },
    onError: flags.onError,
    block: flags.chunk ?? flags.block,
    shard: flags.shard ?? null,
  };
  const twice = nameTwice(plan, isTableOf(flags));
  if (twice !== undefined)
    throw badInput(`The answers would have two columns ${twice}. Name the columns to copy with --copy, or give the question another id.`);
  return plan;
}

const isTableOf = ({ out = "" }: RunFlags): boolean => /\.(csv|parquet)$/iu.test(out);

/** Opens the output, has rows answered until all are, or a signal ends the process, and says what was done. @returns the exit code */
async function answerAll(
  io: Io,
  flags: RunFlags,
  plan: Plan,
  input: PreparedInput,
  bar: RunBar | undefined,
  answer: (output: Output) => Promise<Tally>,
): Promise<number> {
  const out = outOf(flags);
  const output = await opened(io, out, plan, flags.restart === true);
  const startMs = performance.now();
  let tally = totalOf(output.done);
  const before = tally.rows;
  const onStop = (signal: NodeJS.Signals): void => {
    say(io, bar, flags.queue === undefined ? STOPPED : STOPPED_ON_QUEUE);
    endBy(signal);
  };
  // Of rows on standard output, nothing is kept.
  const ignoreSignals = out === STANDARD_OUTPUT ? undefined : onEndSignal(onStop);
  try {
    if (output.isFinished !== true) {
      bar?.start(tally);
      tally = await answer(output);
    }
  } catch (error) {
    return throwIfUnwritable(out)(error);
  } finally {
    ignoreSignals?.();
    bar?.clear();
    await output.close();
  }
  noteUnusedLessons(io, flags, tally.taught);
  const seconds = (performance.now() - startMs) / 1000;
  return tellSummary(io, { input: input.name, out, plan, tally, answeredNow: tally.rows - before, seconds }, flags);
}

async function opened({ stdout }: Io, out: string, plan: Plan, restart: boolean): Promise<Output> {
  if (out === STANDARD_OUTPUT) return streamOutput(stdout);
  await makeFolderOf(out);
  return openOutput(out, formatOf(out), plan, restart).catch(throwIfUnwritable(out));
}

export interface RunFlags extends ModelFlags, LessonFlags, OutputFlags, QuestionFlags, TableFlags {
  readonly out?: string;
  readonly copy?: readonly string[];
  readonly workers?: number;
  readonly onError: OnError;
  readonly limit?: number;
  readonly sample?: number;
  readonly seed: number;
  readonly dryRun?: true;
  readonly quiet?: true;
  readonly restart?: true;
  readonly shard?: Shard;
  readonly merge?: readonly string[];
  readonly block: number;
  readonly queue?: string;
  /** Rows in a block, by the name that it has on a queue. */
  readonly chunk?: number;
  readonly allowVolatileQueue?: true;
}

function outOf({ out, shard }: Pick<RunFlags, "out" | "shard">): string {
  if (out === undefined) throw badInput("Say where the answers go: --out answers.jsonl, .csv or .parquet, or --out - for standard output.");
  if (shard !== undefined && formatOf(out).name !== "jsonl")
    throw badInput(`A shard's answers are lines of JSON: name ${out} with .jsonl. --merge then writes any form.`);
  return out;
}

const STOPPED = "Stopped. What is done is kept: the same command goes on; with --restart it begins anew.";
const STOPPED_ON_QUEUE =
  "Stopped. The chunks stay on the queue, and workers go on with them. The same command joins them and goes on; with --restart it begins anew.";

/** @throws {ToolError} for rows that workers could not read, or answers that could not be joined */
async function checkForQueue(out: string, rowFile: string): Promise<void> {
  if (out === STANDARD_OUTPUT)
    throw badInput("--queue needs a file for the answers, in a folder that all workers share: give one with --out.");
  const found = await stat(rowFile).catch(() => undefined);
  if (rowFile === "-" || found?.isFile() === false)
    throw badInput("--queue needs rows in a file, in a folder that all workers share: they cannot read this machine's pipe.");
}

/** Connects to the queue, and has the rows answered by its workers. @returns the exit code */
async function answerByQueue(
  io: Io,
  flags: RunFlags & { readonly queue: string },
  run: RunFile,
  input: PreparedInput,
  bar: RunBar | undefined,
): Promise<number> {
  const onNotice = say.bind(undefined, io, bar);
  const folder = `${resolve(outOf(flags))}.chunks`;
  const redis = await connectRedis(flags.queue, onNotice);
  try {
    await checkKeeps(redis, flags.allowVolatileQueue === true, onNotice);
    return await answerAll(io, flags, run.plan, input, bar, async (output) => {
      if (flags.restart === true) await removeFolder(folder);
      await mkdir(folder, { recursive: true });
      return coordinate(redis, folder, run, input, output, onNotice, (sum) => bar?.update(sum));
    });
  } finally {
    redis.disconnect();
  }
}

const ROWS = 100;

/** Answers some rows, writes nothing, and says how long all rows take. @returns the exit code */
async function dryRun(
  io: Io,
  decider: Decider,
  plan: Plan,
  input: PreparedInput,
  count: RowCount | undefined,
  flags: RunFlags,
): Promise<number> {
  const few: Plan = { ...plan, shard: null, rows: { ...plan.rows, limit: Math.min(ROWS, plan.rows.limit ?? ROWS) } };
  const startMs = performance.now();
  const tally = await answerRows(decider, few, input, NO_OUTPUT);
  const seconds = (performance.now() - startMs) / 1000;
  const rowsPerSecond = tally.rows / seconds;
  const all = count ? { rows: count.rows, isExact: count.isExact, seconds: count.rows / rowsPerSecond } : null;
  writeResult(io, flags, { ...jsonOfTally(plan.questions, tally), seconds, rowsPerSecond, all }, (screen) => {
    const about = all?.isExact === true ? "" : "about ";
    const lines = [
      screen.paint("bold", `${rowsText(tally.rows)} in ${durationOf(1000 * seconds)}: ${rowsPerSecond.toFixed(1)} a second.`),
      all === null
        ? `A million rows take ${durationOf(1e9 / rowsPerSecond)}.`
        : `All ${about}${rowsText(all.rows)} take ${durationOf(1000 * all.seconds)} on this machine; --shard divides them among several.`,
      `Tokens of a row: ${numberText(Math.round(tally.inputTokens / Math.max(1, tally.rows - tally.failed)))} in.`,
      ...answerLines({ plan, tally }, screen),
      ...failureLines({ tally }, screen),
    ];
    return `${lines.join("\n")}\n`;
  });
  return 0;
}

/** Joins the files of shards. @returns the exit code */
async function merge(io: Io, files: readonly string[], parts: readonly string[], flags: RunFlags): Promise<number> {
  if (files.length > 0 || isAsked(flags) || (flags.textColumn ?? flags.idColumn) !== undefined)
    throw badInput("--merge needs neither questions nor rows: give only the files of the shards, after it.");
  const out = outOf(flags);
  if (out === STANDARD_OUTPUT) throw badInput("--merge writes a file: give one with --out.");
  const format = formatOf(out);
  await checkWritable(out);
  if (existsSync(out)) throw badInput(`${out} exists, and is never overwritten. Name another file with --out, or delete it.`);
  await makeFolderOf(out);
  const { plan, tally } = await mergeShards(parts, out, format).catch(throwIfUnwritable(out));
  return tellSummary(io, { input: `${parts.length} shards`, out, plan, tally, answeredNow: 0, seconds: 0 }, flags);
}

/** The failure of a run, if it is that its results cannot be written, with what to do next. */
const throwIfUnwritable = (out: string): ((error: unknown) => never) =>
  inWords((why) => `${out} cannot be written: ${why}. What is done is safe: once that is mended, the same command goes on.`);
