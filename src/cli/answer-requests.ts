import { createDeciderOn } from "../decider/create-decider.ts";
import type { Decider, DeciderOptions } from "../decider/decider.ts";
import type { Platform } from "../platform/platform.ts";
import type { DecideRequest } from "../decide/types.ts";
import { screenFor, writeJson } from "./output.ts";
import type { OutputFlags } from "./output.ts";
import type { RequestInput } from "./read-input.ts";
import { showAnswered, showTotal } from "./request-view.ts";
import type { Answered } from "./request-view.ts";
import { RequestFailed } from "./failure.ts";

/**
 * Answers requests one after the other and writes them: for a person each as soon as it is there; as JSON at the end, one response, or an array of
 * them for several requests.
 */
export async function answerRequests(
  platform: Platform,
  options: DeciderOptions,
  inputs: readonly RequestInput[],
  flags: OutputFlags,
): Promise<void> {
  const screen = screenFor(flags);
  await using decider = createDeciderOn(platform, options);
  // Loaded first, so that the time of an answer is the time of an answer.
  await decider.info();
  const answered: Answered[] = [];
  for (const input of inputs) {
    const one = await answerOne(decider, input, inputs.length > 1);
    if (screen !== undefined) process.stdout.write(`${answered.length > 0 ? "\n\n" : ""}${showAnswered(one, screen)}`);
    answered.push(one);
  }
  if (screen === undefined) {
    const [first, ...more] = answered.map(({ response }) => response);
    writeJson(more.length === 0 ? first : [first, ...more]);
  } else if (answered.length > 1) process.stdout.write(`\n\n${showTotal(answered, screen)}`);
}

async function answerOne(decider: Decider, { source, title, value, isTyped }: RequestInput, isOneOfMany: boolean): Promise<Answered> {
  // The library takes any value and says what is wrong with it.
  const request = value as DecideRequest;
  const start = performance.now();
  try {
    const response = await decider.decide(request);
    const elapsedMs = performance.now() - start;
    return { title: title === "" && isOneOfMany ? source : title, request, response, elapsedMs, withState: !isTyped };
  } catch (cause) {
    throw new RequestFailed(source, cause);
  }
}
