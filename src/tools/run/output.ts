import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { open, readFile, rename, rm, stat, utimes, writeFile, type FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { unlessMissing } from "../../files/system-errors.ts";
import { syncFolder } from "../../files/replace.ts";
import { badInput, ToolError } from "../tool-error.ts";
import { jsonObjectIn } from "../rows/json-text.ts";
import type { Format } from "./formats.ts";
import { differences, type Plan } from "./plan.ts";
import type { Tally } from "./tally.ts";
import { hostname } from "node:os";
import { holderOf, isMade, isRunning, thisProcess, type Holder } from "../../files/lock.ts";

export interface Block {
  readonly block: number;
  /** SHA-256 of its rows as they were read, in hexadecimal digits. */
  readonly input: string;
  readonly tally: Tally;
}

/** Where the results of a run go, as lines of JSON. */
export interface Output {
  /** Blocks that an earlier run has done, from the first on. Their rows are read again, to see that they are the same. */
  readonly done: readonly Block[];
  /** Whether everything is done already, and only this is left to say. */
  readonly isFinished?: true;
  add(line: string): Promise<void>;
  /** Ends the block that is under way. Once this resolves, nothing that can happen to this process or machine loses it. */
  commit(block: Block): Promise<void>;
  /** Puts the results where they were wanted. @param rows how many rows there were, those of all shards together */
  finish(rows: number): Promise<void>;
  /** Leaves everything as it is, to go on another time. */
  close(): Promise<void>;
}

/** Standard output in place of a file. */
export const STANDARD_OUTPUT = "-";

/** Results as lines of JSON, each as soon as it is there, to a stream that cannot be continued. */
export function streamOutput(stream: NodeJS.WritableStream): Output {
  return {
    ...NO_OUTPUT,
    async add(line) {
      if (!stream.write(line)) await once(stream, "drain");
    },
  };
}

export const NO_OUTPUT: Output = { done: [], add: nothing, commit: nothing, finish: nothing, close: nothing };

function nothing(): Promise<void> {
  return Promise.resolve();
}

const MAX_WAITING_CHARACTERS = 1_000_000;

/**
 * A file of results that survives whatever ends the run. While it runs, `<out>.part` holds the lines of results and `<out>.journal` says which blocks of them are
 * whole: the lines are synced before the journal names them. At the end the file gets its format and its name. A shard's journal stays, for merging.
 * @param restart throws away what an earlier run left
 * @throws {ToolError} if there is a result already, or what an earlier run with another plan left.
 */
export async function openOutput(out: string, format: Format, plan: Plan, restart: boolean): Promise<Output> {
  const lock = await OutputLock.take(out);
  try {
    const [part, journalPath] = [`${out}.part`, journalOf(out)];
    const isThere = existsSync(out);
    const journal = restart && !isThere ? undefined : await readJournal(journalPath);
    const changed = journal === undefined ? [] : differences(journal.plan, plan);
    if (isThere && (journal?.rows === undefined || changed.length > 0))
      throw badInput(`${out} exists, and is never overwritten. Name another file with --out, or delete it.`);
    if (changed.length > 0)
      throw badInput(
        `${journalPath} is of a run with ${changed.join(" and ")}, so this one cannot go on where that one stopped. Give what was given then; or give --restart, which throws away what is done.`,
      );
    // It ended between giving the file its name and removing the journal.
    if (isThere && journal !== undefined && !existsSync(part)) {
      if (plan.shard === null) await rm(journalPath, { force: true });
      return { ...NO_OUTPUT, done: journal.blocks, isFinished: true, close: () => lock.release() };
    }
    const done = journal === undefined ? [] : await wholeBlocks(part, journal);
    const lines = await openAfter(part, done.at(-1)?.bytes ?? 0);
    const notes = await openAfter(journalPath, journal?.lengths[done.length] ?? 0);
    if (journal === undefined) await notes.appendFile(`${JSON.stringify(plan)}\n`);
    await notes.sync();
    await syncFolder(dirname(resolve(out)));
    return journaledOutput(out, format, plan, { lines, notes, lock }, done);
  } catch (error) {
    await lock.release();
    throw error;
  }
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
  readonly lines: FileHandle;
  readonly notes: FileHandle;
  readonly lock: OutputLock;
}

function journaledOutput(out: string, format: Format, plan: Plan, { lines, notes, lock }: Files, done: readonly DoneBlock[]): Output {
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let hash = createHash("sha256");
  let bytes = done.at(-1)?.bytes ?? 0;
  const write = async (): Promise<void> => {
    const text = waiting.join("");
    waiting = [];
    waitingCharacters = 0;
    if (text === "") return;
    await lines.appendFile(text);
    bytes += Buffer.byteLength(text);
  };
  const note = async (entry: object): Promise<void> => {
    await notes.appendFile(`${JSON.stringify(entry)}\n`);
    await notes.sync();
  };
  return {
    done,
    async add(line) {
      waiting.push(line);
      waitingCharacters += line.length;
      hash.update(line);
      if (waitingCharacters > MAX_WAITING_CHARACTERS) await write();
    },
    async commit(block) {
      await lock.check();
      await write();
      await lines.sync();
      const output = hash.digest("hex");
      hash = createHash("sha256");
      await note({ ...block, bytes, output } satisfies DoneBlock);
    },
    async finish(rows) {
      await lock.check();
      await note({ rows });
      const [part, draft] = [`${out}.part`, `${out}.tmp`];
      await lines.sync();
      if (format.name === "jsonl") await moveInPlace(part, out);
      else {
        await format.write(() => createReadStream(part, "utf8"), draft, plan);
        await moveInPlace(draft, out);
        await rm(part, { force: true });
      }
      if (plan.shard === null) await rm(journalOf(out), { force: true });
    },
    async close() {
      await Promise.all([lines.close(), notes.close(), lock.release()]);
    },
  };
}

interface DoneBlock extends Block {
  /** Length of the file of results after it. */
  readonly bytes: number;
  /** SHA-256 of its lines, in hexadecimal digits. */
  readonly output: string;
}

/** A journal: lines of JSON. The first is the plan; one for each block follows, and one at the end. */
export interface Journal {
  readonly plan: Plan;
  readonly blocks: readonly DoneBlock[];
  /** Length of the journal up to the plan, and up to each block: one more than there are blocks. */
  readonly lengths: readonly number[];
  /** How many rows there were, those of all shards together; undefined: it has not come to the end. */
  readonly rows: number | undefined;
}

export function journalOf(out: string): string {
  return `${out}.journal`;
}

/** Reads a journal as far as it is whole: its last line may be torn. @returns undefined if there is none, or not even a plan in it */
export async function readJournal(path: string): Promise<Journal | undefined> {
  const bytes = await unlessMissing(readFile(path));
  if (bytes === undefined) return undefined;
  const lengths: number[] = [];
  const blocks: DoneBlock[] = [];
  let plan: Plan | undefined;
  let rows: number | undefined;
  let from = 0;
  for (let end = bytes.indexOf("\n"); end >= 0 && rows === undefined; from = end + 1, end = bytes.indexOf("\n", from)) {
    // One that was written whole is an object; a power cut may leave anything of it.
    const line = jsonObjectIn(bytes.toString("utf8", from, end));
    if (line === undefined) break;
    if (plan === undefined) {
      if (line["umpire_run"] !== 1) return undefined;
      plan = line as unknown as Plan;
    } else if (typeof line["rows"] === "number") {
      rows = line["rows"];
      continue;
    } else blocks.push(line as unknown as DoneBlock);
    lengths.push(end + 1);
  }
  return plan && { plan, blocks, lengths, rows };
}

/** Opens a file to append to it, without what follows so many bytes. */
async function openAfter(path: string, bytes: number): Promise<FileHandle> {
  const file = await open(path, "a");
  await file.truncate(bytes);
  await file.sync();
  return file;
}

/** SHA-256 of a part of a file, in hexadecimal digits; undefined if the file ends before it. */
export async function digestOf(file: FileHandle, from: number, to: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1 << 16);
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) return undefined;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest("hex");
}

/** Gives a finished file its name, in one step that survives a power cut. */
export async function moveInPlace(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(resolve(to)));
}

const BEAT_MS = 5_000;
/** A lock that nobody has touched for so long is left over, from a machine that is gone perhaps. */
const STALE_MS = 60_000;

/**
 * Sees that no two runs write one output. A lock is held for hours, also on shared folders: so its file is touched again and again, and one that is not
 * is left over. That of a process of this machine that has died is taken over at once.
 */
export class OutputLock {
  readonly #path: string;
  readonly #id: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(path: string, id: string) {
    this.#path = path;
    this.#id = id;
    this.#timer = setInterval(() => void this.#touch(), BEAT_MS).unref();
  }

  /** @throws {ToolError} if another run writes it. */
  static async take(out: string): Promise<OutputLock> {
    const path = `${out}.lock`;
    const holder = thisProcess();
    while (!(await isMade(writeFile(path, JSON.stringify(holder), { flag: "wx" })))) {
      const other = await holderOf(path);
      if (await isHeld(path, other)) throw stillHeld(out, other);
      await moveAway(path, holder.id);
    }
    return new OutputLock(path, holder.id);
  }

  /** @throws {ToolError} if this run no longer holds it: it has been asleep, or its folder is gone. */
  async check(): Promise<void> {
    const holder = await holderOf(this.#path);
    if (holder === undefined)
      throw new ToolError(`${this.#path} is gone, and perhaps its whole folder. Once that is back, the same command goes on.`);
    if (holder.id !== this.#id)
      throw new ToolError(`Another run has taken ${this.#path}, since this one was asleep for a minute. Let the other one go on.`);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if ((await holderOf(this.#path).catch(() => undefined))?.id === this.#id) await rm(this.#path, { force: true });
  }

  async #touch(): Promise<void> {
    const now = new Date();
    // Where it fails, writing fails, too, and says so.
    await utimes(this.#path, now, now).catch(() => undefined);
  }
}

/** Removes what is left over. Of several runs that do so at once, one may remove the lock that another has just taken: that one finds out before it writes. */
async function moveAway(path: string, id: string): Promise<void> {
  const away = `${path}.${id}`;
  await unlessMissing(rename(path, away));
  await rm(away, { force: true });
}

/** A process with this one's number was in a container that was started again: there, numbers begin anew. */
async function isHeld(path: string, other: Holder | undefined): Promise<boolean> {
  if (other?.host === hostname() && (other.pid === process.pid || !isRunning(other.pid))) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < STALE_MS;
}

function stillHeld(out: string, other: Holder | undefined): ToolError {
  const by = other === undefined ? "" : `: process ${other.pid} on ${other.host}`;
  return new ToolError(`Another run is writing ${out}${by}. Wait for it, or name another file. If it is gone, its lock ends in a minute.`);
}
