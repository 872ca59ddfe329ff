import { stat } from "node:fs/promises";
import type { Decider } from "../../../library/decider/decider.ts";
import { learnFolder, learnLessonAt } from "../../../service/node/lessons/lesson-files.ts";
import { BadInput } from "../bad-input.ts";

/**
 * Lets a decider learn lessons: files, and the files `*.json` of folders, by name. Of two for the same question, the last one answers.
 * @throws {BadInput}, and the library's own error with the file's name and what is wrong with it
 */
export async function learnLessons(decider: Pick<Decider, "learn">, places: readonly string[] = []): Promise<void> {
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (found?.isDirectory() !== true) {
      if (!(await learnLessonAt(decider, place))) throw new BadInput(`${place} cannot be read: there is no such file or folder.`);
    } else if ((await learnFolder(decider, place)) === 0) {
      throw new BadInput(`${place} has no lessons: no file in that folder ends in .json.`);
    }
  }
}
