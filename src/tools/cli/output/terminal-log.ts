import { LOG_LEVELS } from "../../../service/node/serve-options.ts";
import type { LogFields, Logger, LogLevel } from "../../../service/node/serve-options.ts";
import type { Paint } from "./screen.ts";
import { oneLine } from "./terminal-text.ts";

interface TerminalLogOptions {
  /** The lowest level that is written. */
  readonly level: LogLevel;
  readonly paint: Paint;
  readonly write: (line: string) => void;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

type Level = Exclude<LogLevel, "silent">;

const STYLES = { debug: "dim", info: undefined, warn: "yellow", error: "red" } as const;

/** A logger for people: one line a message, with the local time, the message and its fields. */
export function terminalLog({ level, paint, write, now = () => new Date() }: TerminalLogOptions): Logger {
  const log = (of: Level) => (fields: LogFields, message: string) => {
    if (LOG_LEVELS.indexOf(of) < LOG_LEVELS.indexOf(level)) return;
    const style = STYLES[of];
    const [said, details] = isRequest(fields) ? requestLine(fields, paint) : [message, fields];
    const facts = Object.entries(details).filter(([, value]) => value !== undefined);
    const told = facts.map(([name, value]) => `${paint("dim", `${name}:`)} ${oneLine(String(value))}`);
    const parts = [paint("dim", timeOf(now())), style === undefined ? said : paint(style, said), ...told];
    write(`${parts.join("  ")}\n`);
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}

const isRequest = ({ method, status }: LogFields): boolean => method !== undefined && status !== undefined;

/** For example `POST decide 200, 12 ms`, and the fields that people may still need. */
function requestLine(
  { method, route, status, durationMs, code, key, inputTokens, cause, requestId }: LogFields,
  paint: Paint,
): [string, LogFields] {
  const style = Number(status) < 400 ? "green" : Number(status) < 500 ? "yellow" : "red";
  const line = `${oneLine(String(method))} ${route} ${paint(style, String(status))}, ${Math.round(Number(durationMs))} ms`;
  // The id finds a failed request in the client's log.
  return [line, { code, key, tokens: inputTokens, cause, ...(code !== undefined && { id: requestId }) }];
}

/** The local time, for example 20:31:07. */
function timeOf(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}
