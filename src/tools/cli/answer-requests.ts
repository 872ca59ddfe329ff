import type { DecideRequest } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import { withSource } from "./failure.ts";
import { noteSlowDevice } from "./output/device-note.ts";
import { screenFor, writeJson } from "./output/screen.ts";
import type { OutputFlags } from "./output/screen.ts";
import type { CreateDecider } from "./create-decider.ts";
import type { Io } from "./io.ts";
import type { LessonFlags } from "./input/lesson-flags.ts";
import type { ModelFlags } from "./input/model-flags.ts";
import type { RequestInput } from "./input/read-input.ts";
import { learnLessons } from "./input/read-lessons.ts";
import { noteUnusedLessons } from "./output/lesson-note.ts";
import { showAnswered, showTotal } from "./output/request-view.ts";
import type { Answered } from "./output/request-view.ts";

/**
 * Answers requests one after the other and writes the answers. For people, each is written as soon as it is there. JSON is written at the end: one
 * response, or an array of responses for several requests.
 */
export async function answerRequests(
  io: Io,
  createDecider: CreateDecider,
  options: ModelFlags,
  inputs: readonly RequestInput[],
  flags: LessonFlags & OutputFlags,
): Promise<void> {
  const screen = screenFor(io, flags);
  await using decider = createDecider(options);
  // A lesson that is wrong is told before the model loads.
  await learnLessons(decider, flags.lessons);
  // Loads the model first, so that the time shown for an answer does not include loading.
  noteSlowDevice(io, await decider.info());
  const answered: Answered[] = [];
  for (const input of inputs) {
    const one = await answerOne(decider, input, flags.maxErrorRate, inputs.length > 1);
    if (screen !== undefined) io.stdout.write(`${answered.length > 0 ? "\n\n" : ""}${showAnswered(one, screen)}`);
    answered.push(one);
  }
  const answers = answered.flatMap(({ response }) => Object.values(response.answers));
  noteUnusedLessons(io, flags, answers.filter(({ x_lesson: lesson }) => lesson !== undefined).length);
  if (screen === undefined) {
    const [first, ...more] = answered.map(({ response }) => response);
    writeJson(io, more.length === 0 ? first : [first, ...more]);
  } else if (answered.length > 1) io.stdout.write(`\n\n${showTotal(answered, screen)}`);
}

async function answerOne(
  decider: Decider,
  { source, title, value, isTyped }: RequestInput,
  maxErrorRate: number | undefined,
  isOneOfMany: boolean,
): Promise<Answered> {
  // Any value will do here: the library checks it.
  const request = value as DecideRequest;
  const start = performance.now();
  const response = await withSource(source, decider.decide(request, { maxErrorRate }));
  const elapsedMs = performance.now() - start;
  return { title: title === "" && isOneOfMany ? source : title, request, response, elapsedMs, withState: !isTyped };
}
