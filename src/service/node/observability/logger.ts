import { pino } from "pino";
import type { DestinationStream } from "pino";
import type { LogLevel } from "./log-levels.ts";

/** Where the server logs: each message comes with its fields. A pino logger is one, and so is `console`. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

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

function flushSync(output: DestinationStream & { flushSync?: () => void }): void {
  output.flushSync?.();
}

const nothing = (): void => undefined;

export const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
