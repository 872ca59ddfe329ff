import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { BadInput } from "../../cli/bad-input.ts";
import { syncFolder } from "../../../files/replace.ts";
import { differences } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Form } from "./forms.ts";
import { journalOf, readJournal } from "./journal.ts";
import type { DoneBlock, Journal } from "./journal.ts";
import type { Block, Output } from "./output.ts";
import { OutputLock } from "./output-lock.ts";
import { NO_OUTPUT } from "./stream-output.ts";
import { digestOf, moveInPlace, removeFile, SyncedFile } from "./synced-file.ts";

/** Lines of a block that wait to be written. */
const MAX_WAITING_CHARACTERS = 1_000_000;

/** A run's output, and what an earlier run left of it. */
export interface Opened {
  readonly output: Output;
  /** Whether everything is done already, and only this is left to say. */
  readonly isFinished: boolean;
}

/**
 * A file of results that survives whatever ends the run. While it runs, `<out>.part` holds the lines of results and `<out>.journal` says which blocks of them are
 * whole: the lines are synced before the journal names them. At the end the file gets its form and its name. A shard's journal stays, for merging.
 * @param restart throws away what an earlier run left
 * @throws {BadInput} if there is a result already, or what an earlier run with another plan left.
 */
export async function openOutput(out: string, form: Form, plan: Plan, restart: boolean): Promise<Opened> {
  const lock = await OutputLock.take(out);
  try {
    return await openLocked(out, form, plan, restart, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(out: string, form: Form, plan: Plan, restart: boolean, lock: OutputLock): Promise<Opened> {
  const [part, journalPath] = [`${out}.part`, journalOf(out)];
  const isThere = await exists(out);
  const journal = restart && !isThere ? undefined : await readJournal(journalPath);
  const changed = journal === undefined ? [] : differences(journal.plan, plan);
  if (isThere && (journal?.rows === undefined || changed.length > 0))
    throw new BadInput(`${out} exists, and is never overwritten. Name another file with --out, or delete it.`);
  if (changed.length > 0)
    throw new BadInput(
      `${journalPath} is of a run with ${changed.join(" and ")}, so this one cannot go on where that one stopped. Give what was given then; or give --restart, which throws away what is done.`,
    );
  // It ended between giving the file its name and removing the journal.
  if (isThere && journal !== undefined && !(await exists(part))) {
    if (plan.shard === null) await removeFile(journalPath);
    return { output: { ...NO_OUTPUT, done: journal.blocks, close: () => lock.release() }, isFinished: true };
  }
  const done = journal === undefined ? [] : await wholeBlocks(part, journal);
  const lines = await SyncedFile.open(part, done.at(-1)?.bytes ?? 0);
  const notes = await SyncedFile.open(journalPath, journal?.lengths[done.length] ?? 0);
  if (journal === undefined) await notes.append(`${JSON.stringify(plan)}\n`);
  await notes.sync();
  await syncFolder(dirname(resolve(out)));
  return { output: new JournaledOutput(out, form, plan, { lines, notes, lock }, done), isFinished: false };
}

/** The blocks of a journal whose lines are on the disk as they were written: a disk that lied about syncing may have lost some. */
async function wholeBlocks(part: string, { blocks }: Journal): Promise<DoneBlock[]> {
  const file = await open(part, "a+");
  try {
    const whole: DoneBlock[] = [];
    for (const block of blocks) {
      if ((await digestOf(file, whole.at(-1)?.bytes ?? 0, block.bytes)) !== block.output) break;
      whole.push(block);
    }
    return whole;
  } finally {
    await file.close();
  }
}

interface Files {
  readonly lines: SyncedFile;
  readonly notes: SyncedFile;
  readonly lock: OutputLock;
}

class JournaledOutput implements Output {
  readonly done: readonly DoneBlock[];
  readonly #out: string;
  readonly #form: Form;
  readonly #plan: Plan;
  readonly #files: Files;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #hash = createHash("sha256");

  constructor(out: string, form: Form, plan: Plan, files: Files, done: readonly DoneBlock[]) {
    this.done = done;
    this.#out = out;
    this.#form = form;
    this.#plan = plan;
    this.#files = files;
  }

  async add(line: string): Promise<void> {
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
    this.#hash.update(line);
    if (this.#waitingCharacters > MAX_WAITING_CHARACTERS) await this.#write();
  }

  async commit(block: Block): Promise<void> {
    const { lines, notes, lock } = this.#files;
    await lock.check();
    await this.#write();
    await lines.sync();
    const done: DoneBlock = { ...block, bytes: lines.bytes, output: this.#hash.digest("hex") };
    this.#hash = createHash("sha256");
    await notes.append(`${JSON.stringify(done)}\n`);
    await notes.sync();
  }

  async finish(rows: number): Promise<void> {
    const { lines, notes, lock } = this.#files;
    await lock.check();
    await notes.append(`${JSON.stringify({ rows })}\n`);
    await notes.sync();
    const [part, draft] = [`${this.#out}.part`, `${this.#out}.tmp`];
    await lines.sync();
    if (this.#form.name === "jsonl") await moveInPlace(part, this.#out);
    else {
      await this.#form.write(() => createReadStream(part, "utf8"), draft, this.#plan);
      await moveInPlace(draft, this.#out);
      await removeFile(part);
    }
    if (this.#plan.shard === null) await removeFile(journalOf(this.#out));
  }

  async close(): Promise<void> {
    const { lines, notes, lock } = this.#files;
    await Promise.all([lines.close(), notes.close(), lock.release()]);
  }

  async #write(): Promise<void> {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#waitingCharacters = 0;
    if (text !== "") await this.#files.lines.append(text);
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
