import { pino, type DestinationStream } from "pino";
import { textOfCause } from "../../../errors.ts";
import { NANOCREDITS_PER_CREDIT } from "../../billing/credits.ts";
import type { Served } from "../../handler/observation.ts";
import type { Logger, LogLevel } from "../serve-options.ts";

export interface LoggerOptions {
  /** The lowest level that is written. Default: `info`. */
  readonly level?: LogLevel | undefined;
  /** Where lines go. Default: standard output. */
  readonly destination?: { write(line: string): void } | undefined;
}

/** A logger whose lines are JSON objects: `time` (ISO 8601), `level`, `message` and the fields. */
export interface JsonLogger extends Logger {
  /** Writes the lines still in memory. Call it before the program ends. */
  flush(): void;
}

/** While standard output does not accept lines, up to this many bytes are kept in memory, and the program does not wait. */
const MAX_KEPT_BYTES = 16_777_216;

export function createLogger({ level = "info", destination }: LoggerOptions = {}): JsonLogger {
  const output: DestinationStream & { flushSync?: () => void } = destination ?? standardOutput();
  const logger = pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  );
  return Object.assign(logger, { flush: () => output.flushSync?.() });
}

/** A full disk neither ends the program nor keeps it from ending: meanwhile, lines are kept in memory. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, maxLength: MAX_KEPT_BYTES });
  let isFailing = false;
  output.on("error", () => {
    isFailing = true;
  });
  output.on("write", () => {
    isFailing = false;
  });
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    // On a failing output, pino's flushSync would retry for ever.
    if (!isFailing) flush();
  };
  return output;
}

const nothing = (): void => undefined;

export const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Logs one line for a request. The underlying cause is logged only for failures of ours: the cause of invalid input may quote the input. */
export function logServed(logger: Logger, served: Served): void {
  const { requestId, method, route, status, code, cause, key, model, usage, answers, nanocredits, durationMs, queuedMs } = served;
  const { sources, upstreamMs, upstreamFailure, localFailure } = served;
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
    upstreamAnswers: sources?.upstream,
    localAnswers: sources?.local,
    upstreamFailure,
    localFailure,
    upstreamMs: upstreamMs === undefined ? undefined : toMicroseconds(upstreamMs),
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
