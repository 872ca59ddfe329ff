import { Command, InvalidArgumentError, Option } from "commander";
import type { DeciderOptions } from "../decider/decider.ts";
import type { Platform } from "../platform/platform.ts";
import type { Question } from "../decide/types.ts";
import { answerRequests } from "./answer-requests.ts";
import { BadInput } from "./bad-input.ts";
import type { OutputFlags } from "./output.ts";
import { choiceFrom, named, noulFrom, scoreFrom } from "./question-flags.ts";
import { readRequest, readState } from "./read-input.ts";
import type { RequestInput } from "./read-input.ts";

interface Flags extends Pick<DeciderOptions, "precision" | "threads">, OutputFlags {
  readonly state?: string;
  readonly model?: string;
}

const EXAMPLES = `
Questions:
  --choose "Which team? billing, technical=bugs and outages, other"
  --rate "How pleased is the guest: not at all, fairly, very"
  Options and levels stand between commas, an option's description after =. Your
  own question stands in front, up to a ? or : and a space; without one a general
  question is asked, and answers are less sure. A backslash takes the next
  character as it is. --choose, --ask and --rate may be given many times.

Exit codes: 0 answered, 1 failed, 2 bad input.

Examples:
  $ umpire decide --state "The cup is broken." --ask "Is something damaged?"
  $ umpire decide --state @mail.txt --choose "Which team? billing, technical"
  $ cat review.txt | umpire decide --rate "How pleased? not at all, fairly, very"
  $ umpire decide request.json
  $ umpire decide --json < request.json
`;

/** `umpire decide`: answers request files, standard input, or questions asked on the command line. */
export function decideCommand(platform: Platform): Command {
  const asked: (readonly [flag: string, question: Question])[] = [];
  const ask = (flag: string, read: (text: string) => Question) => (text: string) => void asked.push([flag, read(text)]);
  return new Command("decide")
    .description("answer structured questions about a text")
    .argument("[file...]", 'JSON requests, "-" for standard input (the default where it is no terminal)')
    .option("-s, --state <text>", 'the text to judge; @file reads it from a file, "-" from standard input')
    .option("--choose <options>", 'pick one of 2 to 255 options: "a, b, c"', ask("choose", choiceFrom))
    .option("--ask <question>", "answer yes or no", ask("ask", noulFrom))
    .option("--rate <levels>", 'place it on a scale of 2 to 10 levels: "low, high"', ask("rate", scoreFrom))
    .option("-m, --model <model>", "a model's id or folder, where a request names none (default: latest)")
    .addOption(
      new Option("--precision <precision>", "arithmetic: int8, or fp32, slower and exact (default: int8)").choices(["int8", "fp32"]),
    )
    .option("--threads <number>", "threads inside the model, 1 to 64", wholeNumber)
    .addOption(new Option("--json", "print JSON, also in a terminal").conflicts("pretty"))
    .option("--pretty", "print for a person, also where the output is no terminal")
    .option("--no-color", "print without colours")
    .addHelpText("after", EXAMPLES)
    .action(async (files: readonly string[], flags: Flags) => {
      const inputs = await inputsFrom(files, flags.state, asked);
      const { model, precision, threads } = flags;
      await answerRequests(platform, { model, precision, threads }, inputs, flags);
    });
}

async function inputsFrom(
  files: readonly string[],
  state: string | undefined,
  asked: readonly (readonly [flag: string, question: Question])[],
): Promise<RequestInput[]> {
  const piped = !process.stdin.isTTY;
  if (files.length > 0) {
    if (asked.length > 0 || state !== undefined)
      throw new BadInput("Give a request file or --state with questions, not both: a file holds its own.");
    return Promise.all(files.map(readRequest));
  }
  if (asked.length > 0) {
    if (state === undefined && !piped) throw new BadInput("There is nothing to judge. Give the text with --state, or pipe it in.");
    const value = { state: await readState(state ?? "-"), questions: named(asked) };
    return [{ source: "The request", title: "", value, isTyped: true }];
  }
  if (state !== undefined) throw new BadInput("There is no question. Ask with --choose, --ask or --rate.");
  if (!piped)
    throw new BadInput('There is nothing to decide. Give a request file, or --state with a question; "umpire decide --help" shows how.');
  return [await readRequest("-")];
}

function wholeNumber(text: string): number {
  if (!/^\d+$/u.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
