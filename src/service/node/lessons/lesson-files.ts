import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Decider } from "../../../library/decider/decider.ts";
import { DecideError, asDecideError } from "../../../errors.ts";
import { isMissing, whyUnreadable } from "../../../files/system-errors.ts";
import { parseJsonFile, readRegularFile, watch, type Watcher } from "../../../files/watch.ts";
import type { Lesson } from "../../../library/lessons/lesson.ts";
import { createHash } from "node:crypto";

const MAX_FILES = 1000;
/** A lesson with 255 options is half of it. */
const MAX_FILE_BYTES = 4_194_304;
/** Some file systems tell times in whole seconds, or two. */
const COARSEST_TIME_MS = 3000;

interface FileStamp {
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
async function learnFile(decider: Pick<Decider, "learn">, path: string, bytes: Buffer): Promise<Lesson> {
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
async function listLessonFiles(folder: string): Promise<string[]> {
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
async function readLessonFile({ path, sizeBytes }: FileStamp): Promise<Buffer> {
  if (sizeBytes > MAX_FILE_BYTES)
    throw new DecideError("invalid_request", `The lesson ${path} has ${sizeBytes} bytes. A lesson has at most ${MAX_FILE_BYTES}.`);
  return readRegularFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
}

function unreadable(path: string, cause: unknown): DecideError {
  return new DecideError("invalid_request", `The lesson ${path} cannot be read: ${whyUnreadable(cause)}.`, { cause });
}

export type Learner = Pick<Decider, "learn" | "forget" | "lessons">;

interface WatchLessonsOptions {
  /** Called once for each problem that keeps the folder, or a file of it, from being followed. What was learned stays. An error thrown here is not caught. */
  readonly onError: (error: DecideError) => void;
  /** Called with the number of lessons whenever they change, and when a problem is over. An error thrown here is not caught. */
  readonly onChange?: ((lessons: number) => void) | undefined;
  /** Milliseconds between two looks at the folder. Default: 500. */
  readonly intervalMs?: number | undefined;
}

interface FollowedFile {
  readonly stamp: FileStamp;
  readonly sha256: string;
  /** The last one that could be learned. */
  readonly lesson: Lesson | undefined;
  readonly problem?: DecideError;
}

/** Neither can be the name of a file. */
const [FOLDER, SETTLING] = ["/folder", "/settling"];

/**
 * Teaches a decider the lessons in a folder, as `learnFolder` does, and follows the folder while the program runs: new files are learned, changed ones
 * learned anew, and those that are gone forgotten. A file is read only if the system says that it changed, or may have: all of them could be gigabytes.
 * @returns once the lessons are learned. After `close()`, nothing more is learned or forgotten.
 * @throws {DecideError} as `learnFolder`.
 */
export async function watchLessonFolder(folder: string, learner: Learner, options: WatchLessonsOptions): Promise<Watcher> {
  const files = new Map<string, FollowedFile>();
  /** Names of files that were not there at the last look. */
  let missing: ReadonlySet<string> = new Set();
  /** Those of the last look, which have been reported, by the name of the file. */
  let problems: ReadonlyMap<string, DecideError> = new Map();
  /** Ids of the lessons that the decider was taught. */
  let learned = new Set<string>();
  /** Whether the decider knows the lessons of the files, and no others of ours. */
  let isSettled = false;
  let isStarting = true;
  await look();
  isStarting = false;
  return watch(lookAgain, options.intervalMs ?? 500);

  /** @returns what tells of news */
  async function lookAgain(): Promise<() => void> {
    const before = problems;
    const isChanged = await look();
    const news = [...problems].filter(([name, { message }]) => before.get(name)?.message !== message);
    const isNews = isChanged || [...before.keys()].some((name) => !problems.has(name));
    return () => {
      for (const [, problem] of news) options.onError(problem);
      if (isNews) options.onChange?.(learned.size);
    };
  }

  /** Finds the problems anew. At the start, the first one is thrown. @returns whether lessons changed */
  async function look(): Promise<boolean> {
    const found = new Map<string, DecideError>();
    const attempt = async (name: string, task: () => Promise<void>): Promise<boolean> => {
      try {
        await task();
        return true;
      } catch (error) {
        if (isStarting) throw asDecideError(error);
        found.set(name, asDecideError(error));
        return false;
      }
    };
    const there = new Set<string>();
    const isDone = await attempt(FOLDER, async () => {
      for (const name of await listLessonFiles(folder)) there.add(name);
    });
    if (!isDone) {
      // Nothing is forgotten because of a folder that is gone.
      problems = new Map([...problems, ...found]);
      return false;
    }
    for (const name of there) {
      await attempt(name, async () => {
        const stamp = await stampOf(join(folder, name));
        if (stamp === undefined) there.delete(name);
        else await follow(name, stamp);
      });
    }
    forgetMissing(there);
    const isChanged = !isSettled && (await attempt(SETTLING, settle));
    problems = found;
    return isChanged;
  }

  async function follow(name: string, stamp: FileStamp): Promise<void> {
    let file = files.get(name);
    if (file?.stamp.version !== stamp.version || file.stamp.isRecent) {
      const bytes = await readLessonFile(stamp);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      file = file?.sha256 === sha256 ? { ...file, stamp } : await learn(bytes, { stamp, sha256, lesson: file?.lesson });
      files.set(name, file);
    }
    if (file.problem !== undefined) throw file.problem;
  }

  /** @param before with the lesson that was learned of this file before, which stays if this one cannot be learned */
  async function learn(bytes: Buffer, before: FollowedFile): Promise<FollowedFile> {
    try {
      const lesson = await learnFile(learner, before.stamp.path, bytes);
      learned.add(lesson.id);
      isSettled = false;
      return { ...before, lesson };
    } catch (error) {
      // Any other error may pass: the next look tries again.
      if (!DecideError.isInstance(error) || error.code !== "invalid_request") throw error;
      return { ...before, problem: error };
    }
  }

  /** Some programs replace a file by deleting it first, so a file is forgotten once two looks miss it. */
  function forgetMissing(there: ReadonlySet<string>): void {
    const gone = [...files.keys()].filter((name) => !there.has(name));
    for (const name of gone.filter((name) => missing.has(name))) {
      files.delete(name);
      isSettled = false;
    }
    missing = new Set(gone);
  }

  /** As after a start: of two lessons for the same question, that of the last file answers. */
  async function settle(): Promise<void> {
    const byName = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lessons = byName.flatMap(([, { lesson }]) => lesson ?? []);
    const known = new Set(learner.lessons().map(({ id }) => id));
    if (lessons.some(({ id }) => !known.has(id))) for (const lesson of lessons) await learner.learn(lesson);
    const ids = new Set(lessons.map(({ id }) => id));
    for (const id of learned) if (!ids.has(id)) learner.forget(id);
    learned = ids;
    isSettled = true;
  }
}
