import { lstat, stat } from "node:fs/promises";
import { DecideError } from "../../../errors.ts";
import type { Lesson } from "../../../library/lessons/lesson.ts";
import type { FileReader } from "../files/file-reader.ts";
import { whyUnreadable } from "../files/why-unreadable.ts";

const MAX_FILES = 1000;
/** A lesson with 255 options is half of it. */
const MAX_FILE_BYTES = 4_194_304;
/** Some file systems tell times in whole seconds, or two. */
const COARSEST_TIME_MS = 3000;

/** What a file system says of a file, without its content. */
export interface FileStamp {
  readonly path: string;
  readonly sizeBytes: number;
  /** Differs once the file was changed or replaced, also by a link that was redirected. */
  readonly version: string;
  /** The last change is so recent that a later one may have the same time. */
  readonly isRecent: boolean;
}

/**
 * The lessons of a folder: its files `*.json`, by name. Names that begin with a dot are those of editors and systems.
 * @throws {DecideError} `invalid_request` if the folder cannot be read, or holds more than 1,000.
 */
export async function listLessonFiles(folder: string, reader: FileReader): Promise<string[]> {
  const names = await reader.list(folder).catch((cause: unknown) => {
    const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such folder" : whyUnreadable(cause);
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
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw unreadable(path, cause);
    if (!(await isLink(path))) return undefined;
    throw new DecideError("invalid_request", `The lesson ${path} cannot be read: it is a link to a file that is not there.`, { cause });
  }
}

async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true;
}

/** @throws {DecideError} `invalid_request` if the file cannot be read, or is larger than 4 MiB. */
export async function readLessonFile({ path, sizeBytes }: FileStamp, reader: FileReader): Promise<Buffer> {
  if (sizeBytes > MAX_FILE_BYTES)
    throw new DecideError("invalid_request", `The lesson ${path} has ${sizeBytes} bytes. A lesson has at most ${MAX_FILE_BYTES}.`);
  return reader.read(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
}

/** @returns what the file holds; `learn` finds out whether it is a lesson. @throws {DecideError} `invalid_request` for what is not JSON. */
export function parseLesson(path: string, bytes: Buffer): Lesson {
  const text = bytes.toString("utf8").replace(/^\ufeff/u, "");
  try {
    return JSON.parse(text) as Lesson;
  } catch {
    // The parser's error quotes the text.
    throw new DecideError("invalid_request", `The lesson ${path} ${text.trim() === "" ? "is empty" : "is not valid JSON"}.`);
  }
}

function unreadable(path: string, cause: unknown): DecideError {
  return new DecideError("invalid_request", `The lesson ${path} cannot be read: ${whyUnreadable(cause)}.`, { cause });
}
