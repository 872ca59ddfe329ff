import { Help, InvalidArgumentError, Option, type Command } from "commander";
import type { DeciderOptions } from "../../../library/decider/decider.ts";
import { NODE_DEVICES } from "../../../library/platform/platform.ts";
import { isInstant } from "../../../service/auth/key-ring.ts";
import { badInput } from "../../tool-error.ts";
import type { Columns, TableOptions } from "../../rows/read-rows.ts";

export type ModelFlags = Pick<DeciderOptions, "device" | "model" | "precision" | "threads">;

export type DeviceFlags = Omit<ModelFlags, "model">;

/** @param requests those that the model answers */
export function addModelFlags(command: Command, requests = "for requests that name none"): Command {
  return addDeviceFlags(
    command.option("-m, --model <model>", `id or folder of the model ${requests} (default: the best that is installed)`),
  );
}

export function addDeviceFlags(command: Command): Command {
  return command
    .addOption(new Option("--device <device>", "where the model runs (default: auto, the fastest)").choices(["auto", ...NODE_DEVICES]))
    .addOption(new Option("--precision <precision>", "int8, or fp32, slower but exact (default: int8)").choices(["int8", "fp32"]))
    .option("--threads <number>", "threads for the model, 1 to 64", countFrom);
}

/** How a table is read, and what its columns are. */
export interface TableFlags extends Columns, Pick<TableOptions, "delimiter" | "quotes"> {}

/** @param hasLabels whether its rows have right answers */
export function addTableFlags(command: Command, hasLabels = true): Command {
  command
    .option(
      "--text-column <name>",
      "the column with the text, or a template over columns in braces (default: text, state, body, message or content)",
    )
    .addOption(new OldName("--state <name>", "--text-column"));
  if (hasLabels)
    command
      .option("--label-column <name>", "the column with the right answer (default: label or answer)")
      .addOption(new OldName("--answer <name>", "--label-column"));
  refuseFlags(command, [["text", "--text-column"], ...(hasLabels ? [["label", "--label-column"] as const] : [])]);
  return command
    .option("--id-column <name>", "the column that says which row it is, in what comes out and where a row cannot be used")
    .option("--delimiter <character>", "what separates the fields of a table, or tab (default: as its first line shows)", delimiterFrom)
    .addOption(new Option("--quotes <on|off>", "off: quotes are text (default: on, doubtful rows are left out)").choices(["on", "off"]));
}

function delimiterFrom(text: string): string {
  const character = /^(?:tab|\\t)$/iu.test(text) ? "\t" : text;
  if (!/^[^"\r\n]$/u.test(character)) throw new InvalidArgumentError("It must be one character, such as ; or |, or the word tab.");
  return character;
}

/** Files of lessons, and folders of them. */
export interface LessonPlaces {
  readonly lessons?: readonly string[];
}

export interface LessonFlags extends LessonPlaces {
  readonly maxErrorRate?: number;
}

export function addLessonFlags(command: Command): Command {
  addLessonPlaces(command);
  return command.option("--max-error-rate <share>", "say what to act on if so many answers may be wrong: 0.05 for 5 in 100", errorRateFrom);
}

export function addLessonPlaces(command: Command): Command {
  return command.option("--lessons <place>", 'a lesson of "umpire teach", or a folder of them; may be repeated', collected);
}

/** The lessons of what runs until it is ended. */
export function lessonFolderFlag(): Option {
  return new FlagOrVariable("--lessons <folder>", "UMPIRE_LESSONS", "folder of lessons that answer, followed while the server runs");
}

/** Of a flag that may be repeated: its values in order. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/**
 * Refuses flags that people try first, and says what they mean. The parser's own suggestions go by spelling, and would not find the one that is meant.
 * @param names flags without their dashes, each with what is meant
 */
export function refuseFlags(command: Command, names: readonly (readonly [name: string, meant: string])[]): void {
  for (const [name, meant] of names) {
    command.addOption(new Option(`--${name} [text]`).hideHelp()).on(`option:${name}`, () => {
      throw badInput(`unknown option '--${name}' (did you mean ${meant}?)`);
    });
  }
}

function numberFrom(pattern: RegExp, must: string, isKept: (number: number) => boolean = () => true) {
  return (text: string): number => {
    if (!pattern.test(text) || !isKept(Number(text))) throw new InvalidArgumentError(`It must be ${must}.`);
    return Number(text);
  };
}

export const shareFrom = numberFrom(/^(?:0|1|0?\.\d+|1\.0+|0\.0*)$/u, "a number from 0 to 1");
export const errorRateFrom = numberFrom(/^0?\.\d+$/u, "a number above 0 and below 1, such as 0.05 for 5 in 100", (rate) => rate > 0);
export const countFrom = numberFrom(/^[1-9]\d{0,11}$/u, "a whole number, 1 or more");
export const msFrom = numberFrom(/^\d{1,9}$/u, "a whole number of milliseconds");
export const bytesFrom = numberFrom(/^\d{1,12}$/u, "a whole number of bytes, 0 or more");
/** 0 for any that is free. */
export const portFrom = numberFrom(/^\d{1,5}$/u, "a whole number from 0 to 65535", (port) => port <= 65_535);

/** The start of a day in UTC, or a time with its zone, in milliseconds; NaN for anything else. */
export function instantMs(text: string): number {
  const instant = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? `${text}T00:00:00Z` : text;
  return isInstant(instant) ? Date.parse(instant) : NaN;
}

/** The name that a flag had in the version before. Nobody may give both. */
export class OldName extends Option {
  readonly now: Option;

  constructor(flags: string, now: string) {
    super(flags);
    this.now = new Option(now);
    this.hideHelp().conflicts(this.now.attributeName());
  }
}

/** Gives what stands under old names to the flags that have others now. @returns what to say of each */
export function takeOldNames(command: Command): string[] {
  return command.options.flatMap((option) => {
    const value: unknown = option instanceof OldName ? command.getOptionValue(option.attributeName()) : undefined;
    if (!(option instanceof OldName) || value === undefined) return [];
    command.setOptionValueWithSource(option.now.attributeName(), value, "cli");
    return [`${option.long} is now ${option.now.long}; the old name goes in the next version.`];
  });
}

/** A flag that a variable of the environment may stand for. The parser's own `env` would read that of the process, not that of the call. */
export class FlagOrVariable extends Option {
  readonly variable: string;

  constructor(flags: string, variable: string, description: string, read?: (text: string, before: undefined) => unknown) {
    super(flags, description);
    this.variable = variable;
    if (read !== undefined) this.argParser(read as (text: string, before: unknown) => unknown);
  }
}

export function optionDescription(option: Option): string {
  const description = new Help().optionDescription(option);
  return option instanceof FlagOrVariable ? `${description} (env: ${option.variable})` : description;
}

/** Takes from the environment what a command's flags leave open. */
export function takeVariables(command: Command, env: NodeJS.ProcessEnv): void {
  for (const option of command.options) {
    if (!(option instanceof FlagOrVariable)) continue;
    const name = option.attributeName();
    const value = env[option.variable];
    if (value === undefined || command.getOptionValue(name) !== undefined) continue;
    try {
      command.setOptionValueWithSource(name, option.parseArg === undefined ? value : option.parseArg<unknown>(value, undefined), "env");
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      command.error(`error: option '${option.flags}' value '${value}' from env '${option.variable}' is invalid. ${error.message}`);
    }
  }
}
