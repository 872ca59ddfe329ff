import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Decider } from "../../../library/decider/decider.ts";
import { DecideError } from "../../../errors.ts";
import { isMissing, whyUnreadable } from "../../../files/system-errors.ts";
import { parseJsonFile, readRegularFile } from "../../../files/watch.ts";
import type { Lesson } from "../../../library/lessons/lesson.ts";

const MAX_FILES = 1000;
/** A lesson with 255 options is half of it. */
const MAX_FILE_BYTES = 4_194_304;
/** Some file systems tell times in whole seconds, or two. */
const COARSEST_TIME_MS = 3000;

/** A file as the file system describes it, without its content. */
export interface FileStamp {
  readonly path: string;
  readonly sizeBytes: number;
  /** Differs once the file was changed or replaced, also by a link that was redirected. */
  readonly version: string;
  /** The last change is so recent that a later one may have the same time. */
  readonly isRecent: boolean;
}

/**
 * Teaches a decider the lessons in a folder, its files `*.json`, in the order of their names: of two for the same question, the last one answers.
 * @returns how many there are
 * @throws {DecideError} `invalid_request` naming the first file that cannot be read or learned, and why; those of loading the model.
 */
export async function learnFolder(decider: Pick<Decider, "learn">, folder: string): Promise<number> {
  const names = await listLessonFiles(folder);
  for (const name of names) await learnLessonAt(decider, join(folder, name));
  return names.length;
}

/** Teaches a decider the lesson in a file. @returns whether there is such a file @throws {DecideError} as `learnFolder`. */
export async function learnLessonAt(decider: Pick<Decider, "learn">, path: string): Promise<boolean> {
  const stamp = await stampOf(path);
  if (stamp === undefined) return false;
  await learnFile(decider, path, await readLessonFile(stamp));
  return true;
}

/** @throws {DecideError} `invalid_request` naming the file, for what is wrong with the lesson; any other error as it is. */
export async function learnFile(decider: Pick<Decider, "learn">, path: string, bytes: Buffer): Promise<Lesson> {
  const lesson = parseJsonFile(`The lesson ${path}`, bytes) as Lesson;
  try {
    await decider.learn(lesson);
    return lesson;
  } catch (cause) {
    if (!DecideError.isInstance(cause) || cause.code !== "invalid_request") throw cause;
    throw new DecideError("invalid_request", `${path} cannot be learned. ${cause.message}`, { cause });
  }
}

/**
 * The lessons of a folder: its files `*.json`, by name. Names that begin with a dot are those of editors and systems.
 * @throws {DecideError} `invalid_request` if the folder cannot be read, or holds more than 1,000.
 */
export async function listLessonFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    const why = isMissing(cause) ? "there is no such folder" : whyUnreadable(cause);
    throw new DecideError("invalid_request", `The lessons in ${folder} cannot be read: ${why}.`, { cause });
  });
  const files = names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).toSorted();
  if (files.length <= MAX_FILES) return files;
  throw new DecideError("invalid_request", `${folder} holds ${files.length} lessons. A folder may hold at most ${MAX_FILES}.`);
}

/** @returns undefined if the file is there no longer. @throws {DecideError} `invalid_request` if the system cannot tell, or for a link to nothing. */
export async function stampOf(path: string): Promise<FileStamp | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const changedMs = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
    const version = [dev, ino, size, mtimeNs, ctimeNs].join(" ");
    return { path, sizeBytes: Number(size), version, isRecent: changedMs > Date.now() - COARSEST_TIME_MS };
  } catch (cause) {
    if (!isMissing(cause)) throw unreadable(path, cause);
    const link = await lstat(path).catch(() => undefined);
    if (link?.isSymbolicLink() !== true) return undefined;
    throw new DecideError("invalid_request", `The lesson ${path} cannot be read: it is a link to a file that is not there.`, { cause });
  }
}

/** @throws {DecideError} `invalid_request` if the file cannot be read, or is larger than 4 MiB. */
export async function readLessonFile({ path, sizeBytes }: FileStamp): Promise<Buffer> {
  if (sizeBytes > MAX_FILE_BYTES)
    throw new DecideError("invalid_request", `The lesson ${path} has ${sizeBytes} bytes. A lesson has at most ${MAX_FILE_BYTES}.`);
  return readRegularFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
}

function unreadable(path: string, cause: unknown): DecideError {
  return new DecideError("invalid_request", `The lesson ${path} cannot be read: ${whyUnreadable(cause)}.`, { cause });
}
