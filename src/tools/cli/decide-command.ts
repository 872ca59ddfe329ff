import { Command } from "commander";
import { answerRequests } from "./answer-requests.ts";
import { addLessonFlags } from "./input/lesson-flags.ts";
import type { LessonFlags } from "./input/lesson-flags.ts";
import { addModelFlags } from "./input/model-flags.ts";
import type { ModelFlags } from "./input/model-flags.ts";
import { refuseFlags } from "./input/refuse-flags.ts";
import { addRequestFlags, inputsFrom } from "./input/request-flags.ts";
import type { RequestFlags } from "./input/request-flags.ts";
import type { CreateDecider } from "./create-decider.ts";
import type { Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import type { OutputFlags } from "./output/screen.ts";

interface Flags extends ModelFlags, LessonFlags, OutputFlags, RequestFlags {}

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
export function decideCommand(io: Io, createDecider: CreateDecider): Command {
  const command = new Command("decide")
    .description("answer structured questions about a text")
    .argument("[file...]", 'requests as JSON, "-" for standard input (the default if it is not a terminal)');
  const asked = addRequestFlags(command);
  refuseFlags(command, [["question", "--ask"]]);
  return addOutputFlags(addModelFlags(addLessonFlags(command)))
    .addHelpText("after", EXAMPLES)
    .action(async (files: readonly string[], flags: Flags) => {
      const inputs = await inputsFrom(io, "decide", files, flags.state, asked);
      const { device, model, precision, threads } = flags;
      await answerRequests(io, createDecider, { device, model, precision, threads }, inputs, flags);
    });
}
