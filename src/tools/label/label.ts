import { abortable } from "../../library/async/signals.ts";
import type { Question } from "../../library/decide/types.ts";
import type { ModelFlags, TableFlags } from "../cli/input/flags.ts";
import { onlyQuestion } from "../cli/input/read-input.ts";
import { questionsFrom, type QuestionFlags } from "../cli/input/request-flags.ts";
import { onEndSignal, type CreateDecider, type Io } from "../cli/io.ts";
import { checkWritable, makeFolderOf } from "../cli/output/check-writable.ts";
import { colored, noteIfSlow, notice, plain, wantsColors, writeResult, type OutputFlags } from "../cli/output/screen.ts";
import { escapeControls, wrap } from "../cli/output/terminal-text.ts";
import { portsFrom } from "../playground/page.ts";
import { STANDARD_INPUT } from "../rows/read-text.ts";
import { RowNotes } from "../rows/row-notes.ts";
import { openInput, prepare } from "../run/input.ts";
import { checkKeepable, NOTHING_LEARNED } from "../teach/teach.ts";
import { badInput, ToolError } from "../tool-error.ts";
import { poolOf, type PoolRow } from "./files.ts";
import { serveLabelPage } from "./page.ts";
import { LabelSession } from "./session.ts";
import { labelInTerminal } from "./terminal.ts";
import type { LabelView } from "./view.ts";

export interface LabelFlags extends ModelFlags, OutputFlags, QuestionFlags, TableFlags {
  readonly out: string;
  readonly lesson: string;
  readonly maxErrorRate: number;
  readonly rows: number;
  readonly seed: number;
  readonly port?: number;
  readonly terminal?: true;
}

/** The first of the ports that are tried where none was chosen. */
export const PORT = 4174;

/** Asks a person about rows, and teaches. @param questionFile undefined: flags ask */
export async function label(
  io: Io,
  createDecider: CreateDecider,
  dist: URL,
  file: string,
  questionFile: string | undefined,
  flags: LabelFlags,
): Promise<void> {
  const { out, lesson, maxErrorRate, seed, device, model, precision, threads, terminal } = flags;
  if (!/\.csv$/iu.test(out)) throw badInput(`The answers are CSV: let ${out} of --out end in .csv.`);
  if (terminal === true && file === STANDARD_INPUT)
    throw badInput("With --terminal, standard input is for answers: give the rows in a file.");
  if (terminal === true && flags.port !== undefined) throw badInput("With --terminal there is no page: leave out --port.");
  const { questions } = await questionsFrom(io, questionFile, flags);
  const question = onlyQuestion(questions);
  await checkWritable(out);
  await checkKeepable(lesson, "--lesson");
  const notes = new RowNotes(file);
  const rows = await rowsOf(io, file, flags, notes);
  for (const path of [out, lesson]) await makeFolderOf(path);

  await using decider = createDecider({ device, model, precision, threads });
  const isScripted = terminal === true && io.stdin.isTTY !== true;
  const session = await LabelSession.open({ decider, question, rows, out, lesson, maxErrorRate, seed, notes, readsAllFirst: isScripted });
  const next = nextCommand(file, questionFile, question, flags);
  const stop = new AbortController();
  const ignoreSignals = onEndSignal(() => {
    stop.abort();
  });
  const ignoreChanges = session.onChange(() => {
    if (session.error !== undefined) stop.abort();
  });
  try {
    // Where the model cannot be loaded, the session fails of it.
    void noteIfSlow(io, decider);
    if (terminal === true) {
      const paint = flags.color && wantsColors(io.stderr, io.env) ? colored : plain;
      await labelInTerminal(io, session, paint, stop.signal);
    } else await labelInPage(io, dist, session, next, flags, stop.signal);
    await session.finish();
  } finally {
    ignoreChanges();
    ignoreSignals();
    await session.close();
  }
  if (session.error !== undefined) throw session.error as Error;
  notes.tell(io);
  tell(io, session.view, file, next, flags);
}

async function rowsOf(io: Io, file: string, flags: LabelFlags, notes: RowNotes): Promise<PoolRow[]> {
  const { delimiter, quotes, textColumn, idColumn, rows, seed } = flags;
  const input = await prepare(await openInput(file, { delimiter, quotes, stdin: io.stdin }), { state: textColumn, id: idColumn, copy: [] });
  try {
    return await poolOf(input, rows, seed, notes);
  } finally {
    await input.rows.return();
  }
}

/** Serves the page until somebody ends it there, or the signal does. */
async function labelInPage(
  io: Io,
  dist: URL,
  session: LabelSession,
  next: string,
  { port: chosen }: LabelFlags,
  signal: AbortSignal,
): Promise<void> {
  const server = await serveLabelPage(dist, portsFrom(chosen, PORT), session, next);
  let told: string | undefined;
  const ignoreChanges = session.onChange(() => {
    const { reason } = session.view;
    if (reason !== undefined && reason !== told) notice(io, `${reason} End it in the page or with Ctrl-C, or go on in the page.`);
    told = reason;
  });
  try {
    io.stderr.write(`Open ${server.url} in a browser.\n`);
    io.stderr.write(escapeControls(`Each answer is in ${session.view.out} at once. Ctrl-C ends it, and so does the page.\n`));
    await abortable(server.ended, signal).catch(() => undefined);
  } finally {
    ignoreChanges();
    await server.close();
  }
}

/** The command that uses the lesson. A question that flags asked is to be asked by the same. */
function nextCommand(file: string, questionFile: string | undefined, { type }: Question, { lesson, maxErrorRate }: LabelFlags): string {
  const quoted = (name: string): string => (/^[\w./-]+$/u.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`);
  const flag = { choice: "--choose", noul: "--ask", score: "--rate" }[type];
  const asked = questionFile === undefined ? `${quoted(file)} ${flag} "..."` : `${quoted(questionFile)} ${quoted(file)}`;
  return `umpire run ${asked} --lessons ${quoted(lesson)} --max-error-rate ${maxErrorRate} --out answers.csv`;
}

function tell(io: Io, view: LabelView, file: string, next: string, flags: LabelFlags): void {
  const { counts, worth, reason = "", problem, out, lesson, learned, byAnswer, rounds, maxErrorRate, question } = view;
  const isTaught = learned !== undefined && learned !== "nothing";
  const result = {
    file,
    out,
    lesson: learned === undefined ? null : lesson,
    ...counts,
    byAnswer,
    maxErrorRate,
    share: rounds.at(-1)?.share ?? 0,
    learned: learned ?? "nothing",
    rounds,
    reason,
    problem: problem ?? null,
    next: isTaught ? next : null,
  };
  writeResult(io, flags, result, ({ width, paint }) => {
    const byName = question.options.flatMap(({ key, name }) => (byAnswer[key] ? [`${byAnswer[key]} ${name}`] : []));
    const answers = `${counts.answered} answers of ${counts.rows} rows are in ${out}: ${byName.join(", ") || "none"}; ${counts.noneOfThese} none of these, ${counts.skipped} skipped.`;
    const lines = [
      ...wrap(escapeControls(answers), width),
      ...wrap(escapeControls(`${reason} ${worth}`), width).map((line) => paint("bold", line)),
      ...wrap(escapeControls(isTaught ? `The lesson is in ${lesson}. It holds none of the texts. Next:` : NOT_YET), width),
      ...(isTaught ? [`  ${escapeControls(next)}`] : []),
    ];
    return `${lines.join("\n")}\n`;
  });
  if (problem !== undefined) throw new ToolError(problem);
  if (!isTaught) io.exitCode = NOTHING_LEARNED;
}

const NOT_YET = "Nothing was learned yet: the same command goes on.";
