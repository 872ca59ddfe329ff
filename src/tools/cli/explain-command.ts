import { Command } from "commander";
import type { DecideRequest } from "../../library/decide/types.ts";
import { isPlainObject } from "../../library/validation/shape.ts";
import { BadInput } from "./bad-input.ts";
import { withSource } from "./failure.ts";
import { addLessonPlaces } from "./input/lesson-flags.ts";
import type { LessonPlaces } from "./input/lesson-flags.ts";
import { addModelFlags } from "./input/model-flags.ts";
import type { ModelFlags } from "./input/model-flags.ts";
import { learnLessons } from "./input/read-lessons.ts";
import { addRequestFlags, inputsFrom } from "./input/request-flags.ts";
import type { RequestFlags } from "./input/request-flags.ts";
import { countFrom } from "./input/whole-numbers.ts";
import type { CreateDecider } from "./create-decider.ts";
import type { Io } from "./io.ts";
import { noteSlowDevice } from "./output/device-note.ts";
import { showExplanation } from "./output/explanation-view.ts";
import { noteUnusedLessons } from "./output/lesson-note.ts";
import { addOutputFlags, screenFor, writeJson } from "./output/screen.ts";
import type { OutputFlags } from "./output/screen.ts";
import { clip, oneLine } from "./output/terminal-text.ts";

interface Flags extends LessonPlaces, ModelFlags, OutputFlags, RequestFlags {
  readonly question?: string;
  readonly maxPassages?: number;
}

const MAX_IDS_CELLS = 200;

const EXAMPLES = `
The text is read once as a whole, and once more without each of its sentences or
lines; those of a long text are taken together. Beside each stands how much the
answer's log-odds change with it: above 0 it speaks for the answer, below 0
against it.

Exit codes: 0 explained, 1 failed, 2 bad input.

Examples:
  $ umpire explain --state @mail.txt --choose "Which team? billing, technical"
  $ umpire explain request.json --question route --lessons lessons/
  $ umpire explain --json --question route < request.json
`;

/** `umpire explain`: says which sentences made the answer to one question. */
export function explainCommand(io: Io, createDecider: CreateDecider): Command {
  const command = new Command("explain")
    .description("say which sentences of a text made an answer")
    .argument("[file]", 'a request as JSON, "-" for standard input (the default if it is not a terminal)')
    .option("-q, --question <id>", "the id of the question, if the request has several");
  const asked = addRequestFlags(command);
  command.option("--max-passages <number>", "how many parts the text is divided into at most (default: 32)", countFrom);
  return addOutputFlags(addModelFlags(addLessonPlaces(command)))
    .addHelpText("after", EXAMPLES)
    .action(async (file: string | undefined, flags: Flags) => {
      const [{ source, value }] = await inputsFrom(io, "explain", file === undefined ? [] : [file], flags.state, asked);
      const id = idOf(value, flags.question);
      const { device, model, precision, threads, maxPassages } = flags;
      const screen = screenFor(io, flags);
      await using decider = createDecider({ device, model, precision, threads });
      await learnLessons(decider, flags.lessons);
      noteSlowDevice(io, await decider.info());
      // Any value will do here: the library checks it.
      const request = value as DecideRequest;
      const explanation = await withSource(source, decider.explain(request, id, { maxPassages }));
      noteUnusedLessons(io, flags, explanation.answer.x_lesson === undefined ? 0 : 1);
      const question = request.questions[id];
      if (screen === undefined || question === undefined) writeJson(io, explanation);
      else io.stdout.write(showExplanation(question, explanation, screen));
    });
}

/** The question that is explained. @throws {BadInput} if none was named and there are several, or if there is none of this name */
function idOf(request: unknown, named: string | undefined): string {
  const questions = isPlainObject(request) ? request["questions"] : undefined;
  const ids = isPlainObject(questions) ? Object.keys(questions) : [];
  const id = named ?? (ids.length === 1 ? ids[0] : undefined);
  // A request without questions is refused by the library, which says why.
  if (ids.length === 0) return id ?? "";
  if (id !== undefined && ids.includes(id)) return id;
  const advice = `Name one with --question: ${clip(oneLine(ids.join(", ")), MAX_IDS_CELLS)}.`;
  throw new BadInput(
    `${id === undefined ? `The request has ${ids.length} questions` : "There is no question with the id of --question"}. ${advice}`,
  );
}
