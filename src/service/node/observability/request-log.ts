import { textOfCause } from "../../../errors.ts";
import { NANOCREDITS_PER_CREDIT } from "../../billing/credits.ts";
import type { Served } from "../../handler/observe.ts";
import type { Logger } from "./logger.ts";

/** Logs one line for a request. The underlying cause is logged only for failures of ours: the cause of invalid input may quote the input. */
export function logServed(logger: Logger, served: Served): void {
  const { requestId, method, route, status, code, cause, key, model, usage, answers, nanocredits, durationMs, queuedMs } = served;
  const isFailure = status >= 500 && code !== "overloaded";
  const fields = {
    requestId,
    method,
    route,
    status,
    code,
    key,
    model,
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
    taughtAnswers: answers !== undefined && answers.taught > 0 ? answers.taught : undefined,
    credits: nanocredits === undefined ? undefined : nanocredits / NANOCREDITS_PER_CREDIT,
    durationMs: toMicroseconds(durationMs),
    queuedMs: queuedMs === undefined ? undefined : toMicroseconds(queuedMs),
  };
  if (isFailure) logger.error({ ...fields, cause: cause === undefined ? undefined : chainOf(cause) }, "request failed");
  else logger.info(fields, "request");
}

/** An error's class and message, followed by those of its causes. */
export function chainOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? `; because ${chainOf(cause.cause)}` : "";
  return textOfCause(cause) + inner;
}

/** Milliseconds, rounded to whole microseconds. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
