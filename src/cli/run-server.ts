import type { Decider } from "../decider/decider.ts";
import type { Prices } from "../http/billing/credits.ts";
import type { AdminLedger } from "../serve/ledger/ledger.ts";
import type { LogLevel } from "../serve/observability/log-levels.ts";
import type { ServeOptions } from "../serve/serve-options.ts";
import type { Closed, RunningServer } from "../serve/server/running-server.ts";
import { withSource } from "./failure.ts";
import { noteSlowDevice } from "./output/device-note.ts";
import { colored, plain, wantsColors } from "./output/paint.ts";
import type { Paint } from "./output/paint.ts";
import { terminalLog } from "./output/terminal-log.ts";
import { whyNotListening } from "./why-not-listening.ts";

export const LOG_FORMATS = ["json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface ServeCommandSettings {
  readonly logLevel: LogLevel;
  /** `pretty` is for people. */
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
  decider: Decider,
  { logLevel, logFormat, secret, charging, serve: options }: ServeCommandSettings,
): Promise<number> {
  // Imported here, because other commands start faster without it.
  const { createKeys, createLogger, keyFromSecret, openLedger, serve } = await import("../serve/index.ts");
  const jsonLog = createLogger({ level: logLevel });
  const logger = logFormat === "json" ? jsonLog : terminalLog({ level: logLevel, paint: paintOf(process), write: writeToTerminal });
  const stopped = untilStopped(() => {
    logger.warn({}, "second signal: ending at once");
    jsonLog.flush();
  });
  let ledger: AdminLedger | undefined;
  try {
    ledger =
      charging === undefined
        ? undefined
        : await openLedger(charging.place, {
            onNotice: ({ level, message }) => {
              logger[level]({}, message);
            },
          });
    const credits = ledger === undefined || charging === undefined ? undefined : { ledger, prices: charging.prices };
    const keys =
      secret === undefined ? undefined : createKeys([await withSource("The secret in UMPIRE_API_KEY", keyFromSecret(ONLY_KEY, secret))]);
    const server = await listening(serve({ ...options, decider, logger, keys, credits }), options);
    // A model that cannot be loaded is the server's to report.
    decider.info().then(noteSlowDevice, () => undefined);
    const { droppedRequests } = await closedAfter(stopped, server);
    return droppedRequests > 0 ? DROPPED : CLEAN;
  } finally {
    try {
      await ledger?.close();
    } finally {
      await decider.close();
      jsonLog.flush();
    }
  }
}

const paintOf = ({ stdout, env }: Pick<NodeJS.Process, "stdout" | "env">): Paint => (wantsColors(stdout, env) ? colored : plain);

function writeToTerminal(line: string): void {
  process.stdout.write(line);
}

/** Closes the server when it is told to stop, or when it cannot become ready. @throws the reason why it cannot become ready */
async function closedAfter(stopped: Promise<void>, server: RunningServer): Promise<Closed> {
  let closed: Closed;
  try {
    await Promise.race([stopped, server.whenReady().then(() => stopped)]);
  } finally {
    closed = await server.close();
  }
  return closed;
}

/** Resolves at the first signal to stop. A second one ends the process. */
function untilStopped(onSecond: () => void): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (isStopping) {
          onSecond();
          process.exit(DROPPED);
        }
        isStopping = true;
        resolve();
      });
    }
  });
}

/** @throws {CommandFailed} with advice, if the server cannot listen at that address. */
async function listening(
  server: Promise<RunningServer>,
  { host = "127.0.0.1", port = 8780 }: ServeCommandSettings["serve"],
): Promise<RunningServer> {
  try {
    return await server;
  } catch (error) {
    throw whyNotListening(error, host, port);
  }
}
