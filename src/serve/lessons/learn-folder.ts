import type { Decider } from "../../decider/decider.ts";
import { DecideError } from "../../errors.ts";
import type { Lesson } from "../../lessons/lesson.ts";
import { FileReader } from "../files/file-reader.ts";
import { listLessonFiles, parseLesson, readLessonFile, stampOf } from "./lesson-files.ts";

/**
 * Teaches a decider the lessons in a folder, its files `*.json`, in the order of their names: of two for the same question, the last one answers.
 * @throws {DecideError} `invalid_request` naming the first file that cannot be read or learned, and why; those of loading the model.
 */
export async function learnFolder(decider: Pick<Decider, "learn">, folder: string): Promise<void> {
  const reader = new FileReader();
  try {
    for (const name of await listLessonFiles(folder, reader)) {
      const stamp = await stampOf(folder, name);
      if (stamp !== undefined) await learnFile(decider, stamp.path, parseLesson(stamp.path, await readLessonFile(stamp, reader)));
    }
  } finally {
    reader.close();
  }
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
