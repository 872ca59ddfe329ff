import type { Command } from "commander";
import { errorRateFrom } from "./shares.ts";

/** Files of lessons, and folders of them. */
export interface LessonPlaces {
  readonly lessons?: readonly string[];
}

export interface LessonFlags extends LessonPlaces {
  /** Above 0, below 1. */
  readonly maxErrorRate?: number;
}

/** Adds --lessons and --max-error-rate. */
export function addLessonFlags(command: Command): Command {
  return addLessonPlaces(command).option(
    "--max-error-rate <share>",
    "say which answers can be acted on if so many of them may be wrong: 0.05 for 5 in 100",
    errorRateFrom,
  );
}

/** Adds --lessons. */
export function addLessonPlaces(command: Command): Command {
  return command.option("--lessons <place>", 'a lesson of "umpire teach", or a folder of them; may be repeated', placesFrom);
}

function placesFrom(place: string, before: readonly string[] = []): readonly string[] {
  return [...before, place];
}
