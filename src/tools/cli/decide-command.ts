import { Command } from "commander";
import type { DecideRequest } from "../../library/decide/types.ts";
import { withSource } from "./failure.ts";
import { addLessonFlags, addModelFlags, type LessonFlags, type ModelFlags } from "./input/flags.ts";
import { learnLessons } from "./input/read-input.ts";
import { addRequestFlags, inputsFrom, type RequestFlags } from "./input/request-flags.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags, noteSlowDevice, noteUnusedLessons, screenFor, writeJson, type OutputFlags } from "./output/screen.ts";
import { showAnswered, showTotal, type Answered } from "./output/answer-view.ts";

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
  $ umpire decide --questions questions.json --state @mail.txt
  $ umpire decide --json < request.json
  $ umpire decide request.json --lessons lessons/ --max-error-rate 0.05
`;

export function decideCommand(io: Io, createDecider: CreateDecider): Command {
  const command = new Command("decide")
    .description("answer structured questions about a text")
    .argument("[file...]", 'requests as JSON, or beside --state questions; "-" for standard input (the default if it is not a terminal)');
  addRequestFlags(command);
  return addOutputFlags(addModelFlags(addLessonFlags(command)))
    .addHelpText("after", EXAMPLES)
    .action(async (files: readonly string[], flags: Flags) => {
      const inputs = await inputsFrom(io, "decide", files, flags);
      const screen = screenFor(io, flags);
      const { device, model, precision, threads, maxErrorRate } = flags;
      await using decider = createDecider({ device, model, precision, threads });
      // A lesson that is wrong is told before the model loads.
      await learnLessons(decider, flags.lessons);
      // Loads the model first, so that the time shown for an answer does not include loading.
      noteSlowDevice(io, await decider.info());
      const answered: Answered[] = [];
      for (const { source, title, value, isTyped } of inputs) {
        // Any value will do here: the library checks it.
        const request = value as DecideRequest;
        const startMs = performance.now();
        const response = await withSource(source, decider.decide(request, { maxErrorRate }));
        const elapsedMs = performance.now() - startMs;
        const one = { title: title === "" && inputs.length > 1 ? source : title, request, response, elapsedMs, withState: !isTyped };
        // People read each as soon as it is there.
        if (screen !== undefined) io.stdout.write(`${answered.length > 0 ? "\n\n" : ""}${showAnswered(one, screen)}`);
        answered.push(one);
      }
      const answers = answered.flatMap(({ response }) => Object.values(response.answers));
      noteUnusedLessons(io, flags, answers.filter(({ x_lesson: lesson }) => lesson !== undefined).length);
      if (screen === undefined) {
        const [first, ...more] = answered.map(({ response }) => response);
        writeJson(io, more.length === 0 ? first : [first, ...more]);
      } else if (answered.length > 1) io.stdout.write(`\n\n${showTotal(answered, screen)}`);
    });
}
