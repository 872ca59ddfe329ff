import type { Question } from "../../library/decide/types.ts";
import { DecideError } from "../../errors.ts";
import type { Example, Lesson } from "../../library/lessons/lesson.ts";
import { MAX_EXAMPLES } from "../../library/lessons/read-examples.ts";
import { BadInput } from "../cli/bad-input.ts";
import type { CreateDecider } from "../cli/create-decider.ts";
import type { Io } from "../cli/io.ts";
import type { ModelFlags } from "../cli/input/model-flags.ts";
import { nameOf, STANDARD_INPUT } from "../rows/read-text.ts";
import { wrongRow } from "../rows/row.ts";
import { noteSlowDevice } from "../cli/output/device-note.ts";
import { ProgressLine } from "../cli/output/progress-line.ts";
import { screenFor, writeJson } from "../cli/output/screen.ts";
import type { OutputFlags } from "../cli/output/screen.ts";
import { examplesOf } from "../rows/examples.ts";
import type { ExampleColumns } from "../rows/examples.ts";
import { checkKeepable, keepLesson } from "./keep-lesson.ts";
import { showTaught } from "./report-view.ts";
import type { Seen, TaughtReport } from "./taught-report.ts";

export interface TeachFlags extends ModelFlags, OutputFlags, ExampleColumns {
  readonly out: string;
}

/** Everything that can be wrong with a file of examples is found before the first of them is read by the model. The lesson is written at the end, or not at all. */
export async function teach(io: Io, createDecider: CreateDecider, question: Question, file: string, flags: TeachFlags): Promise<void> {
  const { out, device, model, precision, threads } = flags;
  await checkKeepable(out);
  const total = file === STANDARD_INPUT ? undefined : await countOf(file, question, flags);

  await using decider = createDecider({ device, model, precision, threads });
  const info = await decider.info();
  noteSlowDevice(io, info);
  const progress = new ProgressLine(io.stderr, total);
  progress.update(0);
  const seen: Seen[] = [];
  const onProgress = ({ stage, done }: { stage: "reading" | "fitting"; done: number }): void => {
    if (stage === "reading") progress.update(done);
  };
  let lesson: Lesson;
  try {
    lesson = await decider.teach(question, remembering(io, file, question, flags, seen), { onProgress });
  } catch (error) {
    throw placed(nameOf(file), seen, error);
  } finally {
    progress.clear();
  }
  await keepLesson(out, lesson);

  const { suspicious, ...report } = lesson.report;
  const taught: TaughtReport = {
    file,
    out,
    lesson: lesson.id,
    model: info.model,
    device: info.device,
    precision: info.precision,
    examples: lesson.examples,
    ...report,
    suspicious: suspicious.map((one) => ({ ...one, ...seen[one.index] })),
  };
  const screen = screenFor(io, flags);
  if (screen === undefined) writeJson(io, taught);
  else io.stdout.write(showTaught(taught, lesson.question, screen));
}

async function countOf(file: string, question: Question, columns: ExampleColumns): Promise<number> {
  const examples = examplesOf(file, question, columns);
  let count = 0;
  while ((await examples.next()).done !== true) count++;
  if (count > MAX_EXAMPLES) throw new BadInput(`${file} has ${count} examples, more than ${MAX_EXAMPLES}. Give a part of them.`);
  return count;
}

/** The examples, as the library takes them. */
async function* remembering(
  { stdin }: Io,
  file: string,
  question: Question,
  columns: ExampleColumns,
  seen: Seen[],
): AsyncGenerator<Example, void, void> {
  for await (const { line, state, answer } of examplesOf(file, question, columns, stdin)) {
    seen.push({ line, stated: String(answer) });
    yield { state, answer };
  }
}

/** The library's error, with the line in place of an example's index. */
function placed(file: string, seen: readonly Seen[], error: unknown): unknown {
  if (!DecideError.isInstance(error)) return error;
  // A row that is wrong in standard input, which cannot be read twice.
  if (error.cause instanceof BadInput) return error.cause;
  const [issue] = error.issues ?? [];
  const [root, index, field] = issue?.loc ?? [];
  if (issue === undefined || root !== "examples" || typeof index !== "number") return error;
  return wrongRow(file, seen[index]?.line ?? 0, `${field ?? "it"} ${issue.msg}`);
}
