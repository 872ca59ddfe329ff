import { Command } from "commander";
import type { QuestionCheck } from "../../library/check/check.ts";
import type { CreateDecider, Io } from "./io.ts";
import { withSource } from "./failure.ts";
import { addModelFlags, type ModelFlags } from "./input/flags.ts";
import { addQuestionFlags, questionsFrom, type QuestionFlags } from "./input/request-flags.ts";
import { addOutputFlags, writeResult, type OutputFlags, type Screen } from "./output/screen.ts";
import { clip, oneLine, wrap } from "./output/terminal-text.ts";
import { nameOf } from "../rows/read-text.ts";

const NAME_CELLS = 60;

/** The warnings of a question as lines. @param id "" for a question without one */
function showCheck(id: string, { warnings }: QuestionCheck, { width, paint }: Screen): string {
  const title = id === "" ? [] : [paint("bold", clip(oneLine(id), NAME_CELLS))];
  if (warnings.length === 0) return `${[...title, `${paint("green", "✓")} nothing found`].join("\n")}\n`;
  const lines = warnings.flatMap(({ code, message }) => [
    `${paint("yellow", "!")} ${code}`,
    ...wrap(oneLine(message), width - 2).map((line) => `  ${line}`),
  ]);
  return `${[...title, ...lines].join("\n")}\n`;
}

/** The exit code if there are warnings: neither a failure (1) nor bad input (2). */
const WARNED = 3;

const HELP = `
A question:
  {"type": "noul", "instructions": "Is it urgent?"}
Of questions by their ids, or a request, all are checked, or those of --question;
no state is read.

Exit codes: 0 no warnings, 1 failed, 2 bad input, 3 warnings.

Examples:
  $ umpire check question.json
  $ umpire check --json - < request.json
  $ umpire check --ask "Is it urgent and from a customer?"
`;

interface Flags extends ModelFlags, OutputFlags, QuestionFlags {}

export function checkCommand(io: Io, createDecider: CreateDecider): Command {
  const command = new Command("check")
    .description("warn of what makes a question's answers bad")
    .argument("[file]", 'a question, questions by their ids or a request as JSON, "-" for standard input');
  return addOutputFlags(addModelFlags(addQuestionFlags(command)))
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, flags: Flags) => {
      const { questions, isOne } = await questionsFrom(io, file, flags);
      const source = file === undefined ? "The call" : nameOf(file);
      const { device, model, precision, threads } = flags;
      await using decider = createDecider({ device, model, precision, threads });
      const checks: [string, QuestionCheck][] = [];
      for (const [id, question] of Object.entries(questions)) checks.push([id, await withSource(source, decider.check(question))]);
      writeResult(io, flags, isOne ? checks[0]?.[1] : { questions: Object.fromEntries(checks) }, (screen) =>
        checks.map(([id, check]) => showCheck(isOne ? "" : id, check, screen)).join("\n"),
      );
      if (checks.some(([, { warnings }]) => warnings.length > 0)) io.exitCode = WARNED;
    });
}
