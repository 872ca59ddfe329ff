import { join } from "node:path";
import type { Decider } from "../../../library/decider/decider.ts";
import { DecideError } from "../../../errors.ts";
import type { Lesson } from "../../../library/lessons/lesson.ts";
import { FileReader } from "../files/file-reader.ts";
import { listLessonFiles, parseLesson, readLessonFile, stampOf } from "./lesson-files.ts";

/**
 * Teaches a decider the lessons in a folder, its files `*.json`, in the order of their names: of two for the same question, the last one answers.
 * @returns how many there are
 * @throws {DecideError} `invalid_request` naming the first file that cannot be read or learned, and why; those of loading the model.
 */
export async function learnFolder(decider: Pick<Decider, "learn">, folder: string): Promise<number> {
  const reader = new FileReader();
  try {
    const names = await listLessonFiles(folder, reader);
    for (const name of names) await learnAt(decider, join(folder, name), reader);
    return names.length;
  } finally {
    reader.close();
  }
}

/**
 * Teaches a decider the lesson in a file.
 * @returns whether there is such a file
 * @throws {DecideError} as `learnFolder`.
 */
export async function learnLessonAt(decider: Pick<Decider, "learn">, path: string): Promise<boolean> {
  const reader = new FileReader();
  try {
    return await learnAt(decider, path, reader);
  } finally {
    reader.close();
  }
}

async function learnAt(decider: Pick<Decider, "learn">, path: string, reader: FileReader): Promise<boolean> {
  const stamp = await stampOf(path);
  if (stamp === undefined) return false;
  await learnFile(decider, path, parseLesson(path, await readLessonFile(stamp, reader)));
  return true;
}

/** @throws {DecideError} `invalid_request` naming the file, for what is wrong with the lesson; any other error as it is. */
export async function learnFile(decider: Pick<Decider, "learn">, path: string, lesson: Lesson): Promise<void> {
  try {
    await decider.learn(lesson);
  } catch (cause) {
    if (!DecideError.isInstance(cause) || cause.code !== "invalid_request") throw cause;
    throw new DecideError("invalid_request", `${path} cannot be learned. ${cause.message}`, { cause });
  }
}
