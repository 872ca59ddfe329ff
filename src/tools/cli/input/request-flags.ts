import { existsSync } from "node:fs";
import type { Command } from "commander";
import { BadInput } from "../bad-input.ts";
import type { Io } from "../io.ts";
import { clip, oneLine } from "../output/terminal-text.ts";
import { QUESTION_FLAGS, withIds } from "./question-flags.ts";
import type { AskedQuestion } from "./question-flags.ts";
import { readRequest, readState } from "./read-input.ts";
import type { RequestInput } from "./read-input.ts";
import { refuseFlags } from "./refuse-flags.ts";

export interface RequestFlags {
  readonly state?: string;
}

/** An argument that is no file may be a long text. */
const MAX_NAME_CELLS = 100;

/** Adds --state, --choose, --ask and --rate. @returns the questions asked so far, in order */
export function addRequestFlags(command: Command): readonly AskedQuestion[] {
  const asked: AskedQuestion[] = [];
  command.option("-s, --state <text>", 'the text to judge; @file reads it from a file, "-" from standard input');
  for (const { name, value, does, read } of Object.values(QUESTION_FLAGS))
    command.option(`--${name} ${value}`, does, (text: string) => void asked.push([name, read(text)]));
  refuseFlags(command, [["text", "--state"]]);
  return asked;
}

/** Requests from files or standard input, or the one that was typed. @throws {BadInput} */
export async function inputsFrom(
  io: Io,
  command: string,
  files: readonly string[],
  state: string | undefined,
  asked: readonly AskedQuestion[],
): Promise<[RequestInput, ...RequestInput[]]> {
  const isPiped = io.stdin.isTTY !== true;
  const [first, ...more] = files;
  if (first !== undefined) {
    if (state === undefined) files.forEach(checkExists);
    if (asked.length > 0 || state !== undefined)
      throw new BadInput("Give a request file or --state with questions, not both: a file has its own state and questions.");
    return Promise.all([readRequest(io, first), ...more.map((file) => readRequest(io, file))]);
  }
  if (asked.length > 0) {
    if (state === undefined && !isPiped) throw new BadInput("There is nothing to judge. Give the text with --state, or pipe it in.");
    const value = { state: await readState(io, state ?? "-"), questions: withIds(asked) };
    return [{ source: "The request", title: "", value, isTyped: true }];
  }
  if (state !== undefined) throw new BadInput("There is no question. Ask with --choose, --ask or --rate.");
  if (!isPiped)
    throw new BadInput(
      `There is nothing to ${command}. Give a request file, or --state with a question; "umpire ${command} --help" shows how.`,
    );
  return [await readRequest(io, "-")];
}

/** @throws {BadInput} for an argument that is no file: it may be the text itself. */
function checkExists(file: string): void {
  if (file === "-" || existsSync(file)) return;
  throw new BadInput(
    `${clip(oneLine(file), MAX_NAME_CELLS)} cannot be read: there is no such file. For a text to judge, did you mean --state?`,
  );
}
