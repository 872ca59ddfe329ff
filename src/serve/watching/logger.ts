import { pino } from "pino";
import type { DestinationStream } from "pino";

/** What the server tells of itself: fields and a message. A pino logger is one, and so is `console`. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** The least that is written. Default: `info`. */
  readonly level?: LogLevel | undefined;
  /** Where lines go. Default: standard output. */
  readonly destination?: { write(line: string): void } | undefined;
}

/** A logger whose lines are JSON objects: `time` (ISO 8601), `level`, `message` and the fields. */
export interface JsonLogger extends Logger {
  /** Writes what has not been written yet, before a program ends. */
  flush(): void;
}

/** Lines that standard output does not take are kept, up to so many bytes, rather than waited for. */
const MAX_KEPT_BYTES = 16_777_216;

export function createLogger({ level = "info", destination }: LoggerOptions = {}): JsonLogger {
  const output = destination ?? standardOutput();
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
  return {
    debug: (fields, message) => {
      logger.debug(fields, message);
    },
    info: (fields, message) => {
      logger.info(fields, message);
    },
    warn: (fields, message) => {
      logger.warn(fields, message);
    },
    error: (fields, message) => {
      logger.error(fields, message);
    },
    flush: () => {
      flushSync(output);
    },
  };
}

/** A disk that is full neither ends the program nor keeps it from its end: lines are kept meanwhile. */
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
    // It would try again for ever.
    if (!isFailing) flush();
  };
  return output;
}

function flushSync(output: DestinationStream & { flushSync?: () => void }): void {
  output.flushSync?.();
}

const nothing = (): void => undefined;

export const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
