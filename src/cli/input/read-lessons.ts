import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Decider } from "../../decider/decider.ts";
import { DecideError } from "../../errors.ts";
import { FileReader } from "../../serve/files/file-reader.ts";
import { learnFile, learnFolder } from "../../serve/lessons/learn-folder.ts";
import { listLessonFiles, parseLesson, readLessonFile, stampOf } from "../../serve/lessons/lesson-files.ts";
import { BadInput } from "../bad-input.ts";

type Learner = Pick<Decider, "learn">;

/**
 * Lets a decider learn lessons: files, and the files `*.json` of folders, by name. Of two for the same question, the last one answers.
 * @throws {BadInput} names the file, and says what is wrong with it
 */
export async function learnLessons(decider: Learner, places: readonly string[] = []): Promise<void> {
  const reader = new FileReader();
  try {
    for (const place of places) await learn(decider, place, reader);
  } catch (error) {
    // Its issues are places in a file that no person writes; the message says the first, and names the file.
    throw DecideError.isInstance(error) && error.code === "invalid_request" ? new BadInput(error.message, { cause: error }) : error;
  } finally {
    reader.close();
  }
}

async function learn(decider: Learner, place: string, reader: FileReader): Promise<void> {
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) {
    if ((await listLessonFiles(place, reader)).length === 0)
      throw new BadInput(`${place} has no lessons: no file in that folder ends in .json.`);
    await learnFolder(decider, place);
    return;
  }
  const stamp = await stampOf(dirname(place), basename(place));
  if (stamp === undefined) throw new BadInput(`${place} cannot be read: there is no such file or folder.`);
  await learnFile(decider, stamp.path, parseLesson(stamp.path, await readLessonFile(stamp, reader)));
}
