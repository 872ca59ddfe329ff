import { readFile, realpath } from "node:fs/promises";
import type { Lesson } from "../../library/lessons/lesson.ts";
import { AS_USUAL, replaceFile } from "../../files/replace.ts";
import { isPlainObject } from "../../library/validation/shape.ts";
import { BadInput } from "../cli/bad-input.ts";
import { CommandFailed } from "../cli/command-failed.ts";
import { checkWritable } from "../cli/output/check-writable.ts";

/**
 * Checks that a lesson can be written to a file: a new one, or one that holds a lesson.
 * @throws {BadInput} Nothing else is ever overwritten.
 */
export async function checkKeepable(file: string): Promise<void> {
  await checkWritable(file);
  const content = await readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new BadInput(`${file} cannot be read: the system reports ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  });
  if (content !== undefined && !isLesson(content))
    throw new BadInput(`${file} exists and holds no lesson, so it is not overwritten. Name another file with --out, or delete it.`);
}

/** Writes a lesson, all of it or nothing. @throws {BadInput} as `checkKeepable` @throws {CommandFailed} if the system cannot write it */
export async function keepLesson(file: string, lesson: Lesson): Promise<void> {
  await checkKeepable(file);
  // A link stays a link: its target is replaced.
  const target = await realpath(file).catch(() => file);
  await replaceFile(target, `${JSON.stringify(lesson)}\n`, AS_USUAL).catch((cause: unknown) => {
    throw new CommandFailed(`${file} cannot be written: the system reports ${(cause as NodeJS.ErrnoException).code}.`, { cause });
  });
}

function isLesson(content: string): boolean {
  try {
    const value: unknown = JSON.parse(content);
    return isPlainObject(value) && Object.hasOwn(value, "umpire_lesson");
  } catch {
    return false;
  }
}
