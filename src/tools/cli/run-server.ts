import type { Decider } from "../../library/decider/decider.ts";
import { whyNotListening } from "../../files/system-errors.ts";
import type { Prices } from "../../service/billing/credits.ts";
import type { AdminLedger, LedgerNotice } from "../../service/node/ledger/ledger.ts";
import type { LogFields, Logger, LogLevel, ServeOptions } from "../../service/node/serve-options.ts";
import { LOG_LEVELS, type Closed, type RunningServer } from "../../service/node/serve-options.ts";
import { ToolError } from "../tool-error.ts";
import { onEndSignal, type Io } from "./io.ts";
import { withSource } from "./failure.ts";
import { colored, noteIfSlow, plain, wantsColors, type Paint } from "./output/screen.ts";
import { oneLine } from "./output/terminal-text.ts";

export const LOG_FORMATS = ["json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface ServeCommandSettings {
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** The secret of the only key, used instead of a key file. */
  readonly secret: string | undefined;
  readonly charging: { readonly place: string; readonly prices: Prices } | undefined;
  readonly serve: Omit<ServeOptions, "decider" | "logger" | "keys" | "credits">;
}

/** The name of the key whose secret is in UMPIRE_API_KEY. */
const ONLY_KEY = "default";
const CLEAN = 0;
const DROPPED = 1;

/** Serves until the process gets a signal to stop, then closes everything. @returns the exit code */
export async function runServer(
  io: Io,
  decider: Decider,
  { logLevel, logFormat, secret, charging, serve: options }: ServeCommandSettings,
): Promise<number> {
  const { createKeys, createLogger, keyFromSecret, openLedger, serve } = await import("../../service/node/index.ts");
  const write = (line: string): void => void io.stdout.write(line);
  // The logger writes to standard output by itself, so that a reader who is slow keeps no request waiting. Where that is no file of the process, it cannot.
  const jsonLog = createLogger({ level: logLevel, destination: io.stdout.fd === undefined ? { write } : undefined });
  const paint = wantsColors(io.stdout, io.env) ? colored : plain;
  const logger = logFormat === "json" ? jsonLog : terminalLog(logLevel, paint, write);
  let ignoreSignals = (): void => undefined;
  const stopped = new Promise((resolve) => {
    ignoreSignals = onEndSignal((signal) => {
      ignoreSignals();
      ignoreSignals = onEndSignal(() => {
        logger.warn({}, "second signal: ending at once");
        jsonLog.flush();
        process.exit(DROPPED);
      });
      resolve(signal);
    });
  });
  let ledger: AdminLedger | undefined;
  try {
    const onNotice = ({ level, message }: LedgerNotice): void => {
      logger[level]({}, message);
    };
    ledger = charging && (await openLedger(charging.place, { onNotice }));
    const credits = charging && ledger && { ledger, prices: charging.prices };
    const keys =
      secret === undefined ? undefined : createKeys([await withSource("The secret in UMPIRE_API_KEY", keyFromSecret(ONLY_KEY, secret))]);
    const server = await listening(serve({ ...options, decider, logger, keys, credits }), options);
    // A model that cannot be loaded is the server's to report.
    void noteIfSlow(io, decider);
    const { droppedRequests } = await closedAfter(stopped, server);
    return droppedRequests > 0 ? DROPPED : CLEAN;
  } finally {
    try {
      await ledger?.close();
    } finally {
      await decider.close().finally(() => {
        jsonLog.flush();
        ignoreSignals();
      });
    }
  }
}

/** Closes the server when it is told to stop, or when it cannot become ready. @throws the reason why it cannot become ready */
async function closedAfter(stopped: Promise<unknown>, server: RunningServer): Promise<Closed> {
  let closed: Closed;
  try {
    await Promise.race([stopped, server.whenReady().then(() => stopped)]);
  } finally {
    closed = await server.close();
  }
  return closed;
}

/** @throws {ToolError} with advice, if the server cannot listen at that address. */
async function listening(
  server: Promise<RunningServer>,
  { host = "127.0.0.1", port = 8780 }: ServeCommandSettings["serve"],
): Promise<RunningServer> {
  try {
    return await server;
  } catch (error) {
    const why = whyNotListening(error, host, port);
    throw why === undefined ? error : new ToolError(why);
  }
}

const STYLES = { debug: "dim", info: undefined, warn: "yellow", error: "red" } as const;

/** A logger for people: one line a message, with the local time, the message and its fields. */
export function terminalLog(level: LogLevel, paint: Paint, write: (line: string) => void): Logger {
  const log = (of: keyof typeof STYLES) => (fields: LogFields, message: string) => {
    if (LOG_LEVELS.indexOf(of) < LOG_LEVELS.indexOf(level)) return;
    const style = STYLES[of];
    const isRequest = fields["method"] !== undefined && fields["status"] !== undefined;
    const [said, details] = isRequest ? requestLine(fields, paint) : [message, fields];
    const facts = Object.entries(details).filter(([, value]) => value !== undefined);
    const told = facts.map(([name, value]) => `${paint("dim", `${name}:`)} ${oneLine(String(value))}`);
    const time = new Date().toTimeString().slice(0, "18:00:00".length);
    const parts = [paint("dim", time), style === undefined ? said : paint(style, said), ...told];
    write(`${parts.join("  ")}\n`);
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}

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
