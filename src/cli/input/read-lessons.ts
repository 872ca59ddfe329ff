import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Decider } from "../../decider/decider.ts";
import { DecideError } from "../../errors.ts";
import type { Lesson } from "../../lessons/lesson.ts";
import { BadInput } from "../bad-input.ts";
import { withSource } from "../failure.ts";
import { readJsonFile } from "./read-json.ts";

const A_LESSON = 'A lesson is a file that "umpire teach" writes.';

/**
 * Lets a decider learn lessons: files, and every .json file of folders, by name.
 * @throws {BadInput} names the file, and says what is wrong with it
 */
export async function learnLessons(decider: Pick<Decider, "learn" | "lessons">, places: readonly string[] = []): Promise<void> {
  for (const file of (await Promise.all(places.map(filesAt))).flat()) {
    const known = decider.lessons().length;
    const lesson = await readJsonFile(file, A_LESSON);
    await withSource(file, decider.learn(lesson as Lesson).catch((error: unknown) => Promise.reject(named(file, error))));
    if (decider.lessons().length === known)
      process.stderr.write(`umpire: ${file} teaches the same question as a lesson before it, and takes its place.\n`);
  }
}

async function filesAt(place: string): Promise<string[]> {
  // What is not there is told when it is read.
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() !== true) return [place];
  const files = (await readdir(place)).filter((name) => name.endsWith(".json")).sort();
  if (files.length === 0) throw new BadInput(`${place} has no lessons: no file in that folder ends in .json.`);
  return files.map((name) => join(place, name));
}

function named(file: string, error: unknown): unknown {
  const isItsFault = DecideError.isInstance(error) && ["invalid_request", "model_not_found"].includes(error.code);
  if (!isItsFault || (error.issues ?? []).length > 0) return error;
  return new BadInput(`${file} cannot be learned. ${error.message}`, { cause: error });
}
