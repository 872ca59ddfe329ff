import { resolve } from "node:path";
import { parseRequest } from "../../../library/decide/request.ts";
import type { Questions } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import type { SavedLesson } from "../../../library/lessons/lesson.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { answerRows } from "../../run/answer-rows.ts";
import { countRows } from "../../run/input/count-rows.ts";
import type { RowCount } from "../../run/input/count-rows.ts";
import { openInput } from "../../run/input/open-input.ts";
import { prepare } from "../../run/input/prepare.ts";
import type { PreparedInput } from "../../run/input/prepare.ts";
import { formOf } from "../../run/output/forms.ts";
import type { Form } from "../../run/output/forms.ts";
import { openOutput } from "../../run/output/journaled-output.ts";
import type { Opened } from "../../run/output/journaled-output.ts";
import type { Output } from "../../run/output/output.ts";
import { StreamOutput } from "../../run/output/stream-output.ts";
import { nameTwice } from "../../run/output/table.ts";
import type { Plan } from "../../run/plan.ts";
import { NOTHING, sumOf } from "../../run/tally.ts";
import type { Tally } from "../../run/tally.ts";
import { isPlainObject } from "../../../library/validation/shape.ts";
import { version } from "../../../version.ts";
import { BadInput } from "../bad-input.ts";
import type { CreateDecider } from "../create-decider.ts";
import { withSource } from "../failure.ts";
import { readJsonFile } from "../input/read-json.ts";
import { learnLessons } from "../input/read-lessons.ts";
import type { Io } from "../io.ts";
import { checkWritable } from "../output/check-writable.ts";
import { noteSlowDevice } from "../output/device-note.ts";
import { noteUnusedLessons } from "../output/lesson-note.ts";
import { thisMachine, workersFor } from "../serve-workers.ts";
import { RunBar } from "./bar.ts";
import { checkForQueue, withQueue } from "./by-queue.ts";
import { dryRun } from "./dry-run.ts";
import { isForPerson } from "./is-for-person.ts";
import { ifUnwritable, merge } from "./merge.ts";
import { createRowsDecider } from "./rows-decider.ts";
import { outOf, STANDARD_OUTPUT, twoFiles } from "./run-flags.ts";
import type { RunFlags } from "./run-flags.ts";
import { tellSummary } from "./summary.ts";

const EXPECTED =
  'It must hold questions by their ids, such as { "urgent": { "type": "noul", "instructions": "Is it urgent?" } }, a request, or one question.';

/** The id of a question that has none. */
const ONLY = "answer";

/**
 * Reads the questions of a JSON file: by their ids, as those of a request, or a single one.
 * @throws {BadInput}, and the library's own error for a question that is not valid, with the file's name
 */
async function readQuestions(file: string): Promise<Questions> {
  const value = await readJsonFile(file, EXPECTED);
  if (!isPlainObject(value)) throw new BadInput(`${file} holds no questions. ${EXPECTED}`);
  const questions = questionsIn(value);
  await withSource(`The questions in ${file}`, Promise.resolve({ state: "", questions }).then(parseRequest));
  return questions as Questions;
}

function questionsIn(value: Record<string, unknown>): unknown {
  if (Object.hasOwn(value, "questions")) return value["questions"];
  return typeof value["type"] === "string" ? { [ONLY]: value } : value;
}

/** Lets a decider learn, and keeps what it learned, for others that must answer as it does. */
class KeptLessons implements Pick<Decider, "learn"> {
  /** In the order in which they were learned. */
  readonly all: SavedLesson[] = [];
  readonly #decider: Pick<Decider, "learn">;

  constructor(decider: Pick<Decider, "learn">) {
    this.#decider = decider;
  }

  async learn(lesson: SavedLesson): Promise<void> {
    await this.#decider.learn(lesson);
    this.all.push(lesson);
  }
}

/** Everything that can be wrong with what was given, besides the rows themselves, is found before the first row is asked about. @returns the exit code */
export async function run(
  io: Io,
  platform: Platform,
  createDecider: CreateDecider,
  files: readonly string[],
  flags: RunFlags,
): Promise<number> {
  if (flags.merge !== undefined) return merge(io, files, flags.merge, flags);
  const [questionFile, rowFile] = twoFiles(files);
  const questions = await readQuestions(questionFile);
  if (flags.dryRun !== true) await checkOut(outOf(flags));
  if (flags.queue !== undefined) await checkForQueue(outOf(flags), rowFile);
  const input = await prepare(await openInput(rowFile, io.stdin), { state: flags.state, copy: flags.copy });
  try {
    const { device, model, precision, workers, threads } = flags;
    const shares = workersFor({ workers, threads }, await thisMachine(platform, model));
    await using decider = createRowsDecider(createDecider, { device, model, precision, ...shares });
    const lessons = new KeptLessons(decider);
    await learnLessons(lessons, flags.lessons);
    const plan = await planOf(io, decider, { ...input, questions }, flags);
    if (flags.dryRun === true) return await dryRun(io, decider, plan, rowFile, input, isForPerson, flags);
    // Counting takes a moment, and only says how much time is left.
    const count = flags.quiet === true ? undefined : await countRows(rowFile, plan.rows);
    const { queue } = flags;
    if (queue === undefined)
      return await answerAll(io, plan, input, count, flags, (output, bar) =>
        answerRows(decider, plan, input, output, { isForPerson, onRow: (sum) => bar?.update(sum) }),
      );
    // The workers have models of their own.
    await decider.close();
    const found = { plan, input: resolve(rowFile), model: platform.placeOf(model ?? "") ?? plan.model.id, lessons: lessons.all };
    return await withQueue(io, { ...flags, queue }, found, input, (answer) => answerAll(io, plan, input, count, flags, answer));
  } finally {
    // Whoever writes to the pipe is not kept waiting.
    await input.rows.return();
  }
}

async function checkOut(out: string): Promise<void> {
  if (out === STANDARD_OUTPUT) return;
  formOf(out);
  await checkWritable(out);
}

async function planOf(io: Io, decider: Decider, input: PreparedInput & Pick<Plan, "questions">, flags: RunFlags): Promise<Plan> {
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
    columns: input.columns,
    copiesAll: input.copiesAll,
    rows: { limit: flags.limit ?? null, sample: flags.sample ?? null, seed: flags.seed },
    onError: flags.onError,
    block: flags.chunk ?? flags.block,
    shard: flags.shard ?? null,
  };
  const twice = nameTwice(plan, flags.out !== undefined && /\.(csv|parquet)$/u.test(flags.out));
  if (twice !== undefined)
    throw new BadInput(
      `The answers would have two columns ${twice}. Name the columns to copy with --copy, or give the question another id.`,
    );
  return plan;
}

async function answerAll(
  io: Io,
  plan: Plan,
  input: PreparedInput,
  count: RowCount | undefined,
  flags: RunFlags,
  answer: (output: Output, bar: RunBar | undefined) => Promise<Tally>,
): Promise<number> {
  const out = outOf(flags);
  const { output, isFinished } = await opened(io, out, plan, flags.restart === true);
  const bar = flags.quiet === true ? undefined : new RunBar(io.stderr, plan, count);
  const startMs = performance.now();
  let tally: Tally = output.done.reduce((sum, block) => sumOf(sum, block.tally), NOTHING);
  const before = tally.rows;
  try {
    if (!isFinished) {
      bar?.start(tally);
      tally = await answer(output, bar);
    }
  } catch (error) {
    throw ifUnwritable(out, error);
  } finally {
    bar?.clear();
    await output.close();
  }
  noteUnusedLessons(io, flags, tally.taught);
  const seconds = (performance.now() - startMs) / 1000;
  return tellSummary(io, { input: input.name, out, plan, tally, answeredNow: tally.rows - before, seconds }, flags);
}

async function opened({ stdout }: Io, out: string, plan: Plan, restart: boolean): Promise<Opened> {
  if (out === STANDARD_OUTPUT) return { output: new StreamOutput(stdout), isFinished: false };
  const form: Form = formOf(out);
  return openOutput(out, form, plan, restart).catch((error: unknown) => {
    throw ifUnwritable(out, error);
  });
}
