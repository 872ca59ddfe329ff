import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Decider } from "../../decider/decider.ts";
import { DecideError } from "../../errors.ts";
import { FileReader } from "../../serve/files/file-reader.ts";
import { learnFile, learnFolder } from "../../serve/lessons/learn-folder.ts";
import { parseLesson, readLessonFile, stampOf } from "../../serve/lessons/lesson-files.ts";
import { BadInput } from "../bad-input.ts";

type Learner = Pick<Decider, "learn" | "lessons">;

/**
 * Lets a decider learn lessons: files, and the files `*.json` of folders, by name. Of two for the same question, the last one answers.
 * @throws {BadInput} names the file, and says what is wrong with it
 */
export async function learnLessons(decider: Learner, places: readonly string[] = []): Promise<void> {
  try {
    for (const place of places) {
      if ((await stat(place).catch(() => undefined))?.isDirectory() !== true) await learn(decider, place);
      else {
        await learnFolder(decider, place);
        if (decider.lessons().length === 0) throw new BadInput(`${place} has no lessons: no file in that folder ends in .json.`);
      }
    }
  } catch (error) {
    // Its issues are places in a file that no person writes; the message says the first, and names the file.
    throw DecideError.isInstance(error) && error.code === "invalid_request" ? new BadInput(error.message, { cause: error }) : error;
  }
}

async function learn(decider: Learner, path: string): Promise<void> {
  const reader = new FileReader();
  try {
    const stamp = await stampOf(dirname(path), basename(path));
    if (stamp === undefined) throw new BadInput(`${path} cannot be read: there is no such file or folder.`);
    await learnFile(decider, stamp.path, parseLesson(stamp.path, await readLessonFile(stamp, reader)));
  } finally {
    reader.close();
  }
}
