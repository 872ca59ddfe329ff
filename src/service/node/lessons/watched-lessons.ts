import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Decider } from "../../../library/decider/decider.ts";
import { DecideError, asDecideError } from "../../../errors.ts";
import { watch } from "../../../files/watch.ts";
import type { Watcher } from "../../../files/watch.ts";
import type { Lesson } from "../../../library/lessons/lesson.ts";
import { learnFile, listLessonFiles, readLessonFile, stampOf } from "./lesson-files.ts";
import type { FileStamp } from "./lesson-files.ts";

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
  /** Why what the file holds could not be learned. */
  readonly problem?: DecideError;
}

/** Tells of a problem of a file, or of one named below. */
type OnProblem = (name: string, error: DecideError) => void;

const DEFAULT_INTERVAL_MS = 500;
/** Neither can be the name of a file. */
const [FOLDER, SETTLING] = ["/folder", "/settling"];

/**
 * Teaches a decider the lessons in a folder, as `learnFolder` does, and follows the folder while the program runs: new files are learned, changed ones
 * learned anew, and those that are gone forgotten.
 * @returns once the lessons are learned. After `close()`, nothing more is learned or forgotten.
 * @throws {DecideError} as `learnFolder`.
 */
export async function watchLessonFolder(folder: string, learner: Learner, options: WatchLessonsOptions): Promise<Watcher> {
  const followed = new FollowedLessons(folder, learner, options);
  await followed.start();
  return watch(() => followed.lookAgain(), options.intervalMs ?? DEFAULT_INTERVAL_MS);
}

/** Looks at the folder again and again. A file is read only if the system says that it changed, or may have: all of them could be gigabytes. */
class FollowedLessons {
  readonly #folder: string;
  readonly #learner: Learner;
  readonly #options: WatchLessonsOptions;
  readonly #files = new Map<string, FollowedFile>();
  /** Names of files that were not there at the last look. */
  #missing: ReadonlySet<string> = new Set();
  /** The messages of current problems, which have been reported, by the name of the file. */
  readonly #problems = new Map<string, string>();
  /** Ids of the lessons that the decider was taught. */
  #learned = new Set<string>();
  /** Whether the decider knows the lessons of the files, and no others of ours. */
  #isSettled = false;

  constructor(folder: string, learner: Learner, options: WatchLessonsOptions) {
    this.#folder = folder;
    this.#learner = learner;
    this.#options = options;
  }

  /** @throws {DecideError} the first problem. */
  async start(): Promise<void> {
    await this.#look((_, error) => {
      throw error;
    });
  }

  /** @returns what tells of news */
  async lookAgain(): Promise<() => void> {
    const before = [...this.#problems.keys()];
    const news: DecideError[] = [];
    const isChanged = await this.#look((name, error) => {
      if (this.#problems.get(name) === error.message) return;
      this.#problems.set(name, error.message);
      news.push(error);
    });
    const isNews = isChanged || before.some((name) => !this.#problems.has(name));
    return () => {
      for (const problem of news) this.#options.onError(problem);
      if (isNews) this.#options.onChange?.(this.#learned.size);
    };
  }

  /** @returns whether lessons changed */
  async #look(onProblem: OnProblem): Promise<boolean> {
    const there = new Set<string>();
    const isDone = await this.#try(FOLDER, onProblem, async () => {
      for (const name of await listLessonFiles(this.#folder)) there.add(name);
    });
    // Nothing is forgotten because of a folder that is gone.
    if (!isDone) return false;
    for (const name of there) {
      await this.#try(name, onProblem, async () => {
        const stamp = await stampOf(join(this.#folder, name));
        if (stamp === undefined) there.delete(name);
        else await this.#follow(name, stamp);
      });
    }
    this.#forgetMissing(there);
    return !this.#isSettled && this.#try(SETTLING, onProblem, () => this.#settle());
  }

  /** @returns whether it could be done; if not, why not is a problem */
  async #try(name: string, onProblem: OnProblem, task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      this.#problems.delete(name);
      return true;
    } catch (error) {
      onProblem(name, asDecideError(error));
      return false;
    }
  }

  async #follow(name: string, stamp: FileStamp): Promise<void> {
    const before = this.#files.get(name);
    if (before?.stamp.version !== stamp.version || before.stamp.isRecent) {
      const bytes = await readLessonFile(stamp);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const after = before?.sha256 === sha256 ? { ...before, stamp } : await this.#learn(bytes, { stamp, sha256, lesson: before?.lesson });
      this.#files.set(name, after);
    }
    const problem = this.#files.get(name)?.problem;
    if (problem !== undefined) throw problem;
  }

  /** @param before with the lesson that was learned of this file before, which stays if this one cannot be learned */
  async #learn(bytes: Buffer, before: FollowedFile): Promise<FollowedFile> {
    try {
      const lesson = await learnFile(this.#learner, before.stamp.path, bytes);
      this.#learned.add(lesson.id);
      this.#isSettled = false;
      return { ...before, lesson };
    } catch (error) {
      // Any other error may pass: the next look tries again.
      if (!DecideError.isInstance(error) || error.code !== "invalid_request") throw error;
      return { ...before, problem: error };
    }
  }

  /** Some programs replace a file by deleting it first, so a file is forgotten once two looks miss it. */
  #forgetMissing(there: ReadonlySet<string>): void {
    const missing = [...this.#files.keys()].filter((name) => !there.has(name));
    for (const name of missing.filter((name) => this.#missing.has(name))) {
      this.#files.delete(name);
      this.#isSettled = false;
    }
    this.#missing = new Set(missing);
    for (const name of this.#problems.keys()) if (!there.has(name) && name !== SETTLING) this.#problems.delete(name);
  }

  /** As after a start: of two lessons for the same question, that of the last file answers. */
  async #settle(): Promise<void> {
    const byName = [...this.#files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lessons = byName.flatMap(([, { lesson }]) => lesson ?? []);
    const known = new Set(this.#learner.lessons().map(({ id }) => id));
    if (lessons.some(({ id }) => !known.has(id))) for (const lesson of lessons) await this.#learner.learn(lesson);
    const ids = new Set(lessons.map(({ id }) => id));
    for (const id of this.#learned) if (!ids.has(id)) this.#learner.forget(id);
    this.#learned = ids;
    this.#isSettled = true;
  }
}
