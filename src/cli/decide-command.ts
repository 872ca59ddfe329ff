import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Question } from "../decide/types.ts";
import type { Platform } from "../platform/platform.ts";
import { answerRequests } from "./answer-requests.ts";
import { BadInput } from "./bad-input.ts";
import { clip, oneLine } from "./output/terminal-text.ts";
import { addLessonFlags } from "./input/lesson-flags.ts";
import type { LessonFlags } from "./input/lesson-flags.ts";
import { addModelFlags } from "./input/model-flags.ts";
import type { ModelFlags } from "./input/model-flags.ts";
import { addOutputFlags } from "./output/screen.ts";
import type { OutputFlags } from "./output/screen.ts";
import { choiceFrom, noulFrom, scoreFrom, withIds } from "./input/question-flags.ts";
import type { AskedQuestion } from "./input/question-flags.ts";
import { readRequest, readState } from "./input/read-input.ts";
import type { RequestInput } from "./input/read-input.ts";
import { refuseFlags } from "./input/refuse-flags.ts";

interface Flags extends ModelFlags, LessonFlags, OutputFlags {
  readonly state?: string;
}

/** An argument that is no file may be a long text. */
const MAX_NAME_CELLS = 100;

/** Flags that people try first, and what they mean. */
const OTHER_NAMES = [
  ["text", "--state"],
  ["question", "--ask"],
] as const;

const EXAMPLES = `
Questions:
  --choose "Which team? billing, technical=bugs and outages, other"
  --rate "How pleased is the guest: not at all, fairly, very"
  Separate options and levels with commas. An option's description follows an =.
  Put your own question first, ending in ? or : and a space; without one, a
  general question is asked and the answers are less certain. A backslash makes
  the next character literal. --choose, --ask and --rate may be repeated.

Exit codes: 0 answered, 1 failed, 2 bad input.

Examples:
  $ umpire decide --state "The cup is broken." --ask "Is something damaged?"
  $ umpire decide --state @mail.txt --choose "Which team? billing, technical"
  $ cat review.txt | umpire decide --rate "How pleased? not at all, fairly, very"
  $ umpire decide request.json
  $ umpire decide --json < request.json
  $ umpire decide request.json --lessons lessons/ --max-error-rate 0.05
`;

/** `umpire decide`: answers requests from files or standard input, or questions from the command line. */
export function decideCommand(platform: Platform): Command {
  const asked: AskedQuestion[] = [];
  const ask = (flag: string, read: (text: string) => Question) => (text: string) => void asked.push([flag, read(text)]);
  const command = new Command("decide")
    .description("answer structured questions about a text")
    .argument("[file...]", 'requests as JSON, "-" for standard input (the default if it is not a terminal)')
    .option("-s, --state <text>", 'the text to judge; @file reads it from a file, "-" from standard input')
    .option("--choose <options>", 'pick one of 2 to 255 options: "a, b, c"', ask("choose", choiceFrom))
    .option("--ask <question>", "answer yes or no", ask("ask", noulFrom))
    .option("--rate <levels>", 'rate it on a scale of 2 to 10 levels: "low, high"', ask("rate", scoreFrom));
  refuseFlags(command, OTHER_NAMES);
  return addOutputFlags(addModelFlags(addLessonFlags(command)))
    .addHelpText("after", EXAMPLES)
    .action(async (files: readonly string[], flags: Flags) => {
      const inputs = await inputsFrom(files, flags.state, asked);
      const { device, model, precision, threads } = flags;
      await answerRequests(platform, { device, model, precision, threads }, inputs, flags);
    });
}

async function inputsFrom(files: readonly string[], state: string | undefined, asked: readonly AskedQuestion[]): Promise<RequestInput[]> {
  const isPiped = !process.stdin.isTTY;
  if (files.length > 0) {
    if (state === undefined) files.forEach(checkExists);
    if (asked.length > 0 || state !== undefined)
      throw new BadInput("Give a request file or --state with questions, not both: a file has its own state and questions.");
    return Promise.all(files.map(readRequest));
  }
  if (asked.length > 0) {
    if (state === undefined && !isPiped) throw new BadInput("There is nothing to judge. Give the text with --state, or pipe it in.");
    const value = { state: await readState(state ?? "-"), questions: withIds(asked) };
    return [{ source: "The request", title: "", value, isTyped: true }];
  }
  if (state !== undefined) throw new BadInput("There is no question. Ask with --choose, --ask or --rate.");
  if (!isPiped)
    throw new BadInput('There is nothing to decide. Give a request file, or --state with a question; "umpire decide --help" shows how.');
  return [await readRequest("-")];
}

/** @throws {BadInput} for an argument that is no file: it may be the text itself. */
function checkExists(file: string): void {
  if (file === "-" || existsSync(file)) return;
  throw new BadInput(
    `${clip(oneLine(file), MAX_NAME_CELLS)} cannot be read: there is no such file. For a text to judge, did you mean --state?`,
  );
}
