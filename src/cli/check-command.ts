import { Command } from "commander";
import type { QuestionCheck } from "../check/index.ts";
import { parseRequest } from "../decide/request.ts";
import type { Question } from "../decide/types.ts";
import { createDeciderOn } from "../decider/create-decider.ts";
import type { Platform } from "../platform/platform.ts";
import { isPlainObject } from "../validation/shape.ts";
import { withSource } from "./failure.ts";
import { addModelFlags } from "./input/model-flags.ts";
import type { ModelFlags } from "./input/model-flags.ts";
import { readRequest } from "./input/read-input.ts";
import { showCheck } from "./output/check-view.ts";
import { addOutputFlags, screenFor, writeJson } from "./output/screen.ts";
import type { OutputFlags } from "./output/screen.ts";

/** The exit code if there are warnings: neither a failure (1) nor bad input (2). */
const WARNED = 3;

const HELP = `
A question:
  {"type": "noul", "instructions": "Is it urgent?"}
Of a request, all questions are checked. Its state is not read.

Exit codes: 0 no warnings, 1 failed, 2 bad input, 3 warnings.

Examples:
  $ umpire check question.json
  $ umpire check --json - < request.json
`;

interface Flags extends ModelFlags, OutputFlags {}

/** `umpire check`: warns of what makes answers bad, before anybody asks the question. */
export function checkCommand(platform: Platform): Command {
  const command = new Command("check")
    .description("warn of what makes a question's answers bad")
    .argument("<file>", 'a question or a request as JSON, "-" for standard input');
  return addOutputFlags(addModelFlags(command))
    .addHelpText("after", HELP)
    .action(async (file: string, flags: Flags) => {
      const { source, value } = await readRequest(file);
      const { device, model, precision, threads } = flags;
      await using decider = createDeciderOn(platform, { device, model, precision, threads });
      const checkOne = (question: unknown): Promise<QuestionCheck> => withSource(source, decider.check(question as Question));
      const screen = screenFor(flags);
      const checks: QuestionCheck[] = [];
      if (isPlainObject(value) && "questions" in value) {
        const ids = await withSource(source, idsOf(value["questions"]));
        for (const id of ids) checks.push(await checkOne((value["questions"] as { readonly [id: string]: unknown })[id]));
        if (screen === undefined) writeJson({ questions: Object.fromEntries(ids.map((id, i) => [id, checks[i]])) });
        else process.stdout.write(checks.map((check, i) => showCheck(ids[i] ?? "", check, screen)).join("\n"));
      } else {
        const check = await checkOne(value);
        checks.push(check);
        if (screen === undefined) writeJson(check);
        else process.stdout.write(showCheck("", check, screen));
      }
      if (checks.some(({ warnings }) => warnings.length > 0)) process.exitCode = WARNED;
    });
}

/** @throws {DecideError} `invalid_request` with what is wrong with any of them, each named by its id. */
// eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to be a rejection
async function idsOf(questions: unknown): Promise<string[]> {
  return parseRequest({ state: "", questions }).questions.map(({ id }) => id);
}
