import type { Decider } from "../decider/decider.ts";
import { DecideError } from "../errors.ts";
import type { Prices } from "../http/billing/credits.ts";
import type { AdminLedger } from "../serve/ledger/ledger.ts";
import type { LogLevel } from "../serve/watching/logger.ts";
import type { ServeOptions } from "../serve/serve-options.ts";
import type { Closed, RunningServer } from "../serve/server/running-server.ts";
import { CommandFailed } from "./command-failed.ts";
import { RequestFailed } from "./failure.ts";

export interface ServerSettings {
  readonly logLevel: LogLevel;
  /** That of the one key there is, where there is no key file. */
  readonly secret: string | undefined;
  readonly charging: { readonly place: string; readonly prices: Prices } | undefined;
  readonly serve: Omit<ServeOptions, "decider" | "logger" | "keys" | "credits">;
}

/** The key whose secret stands in UMPIRE_API_KEY. */
const ONLY_KEY = "default";
const CLEAN = 0;
const DROPPED = 1;

/** Serves until the process is told to stop, closes all there is, and gives the exit code. */
export async function runServer(decider: Decider, { logLevel, secret, charging, serve: options }: ServerSettings): Promise<number> {
  // Other commands start faster without it.
  const { createKeys, createLogger, keyFromSecret, openLedger, serve } = await import("../serve/index.ts");
  const logger = createLogger({ level: logLevel });
  const stopped = untilStopped(() => {
    logger.warn({}, "a second signal: ending at once");
    logger.flush();
  });
  let ledger: AdminLedger | undefined;
  try {
    ledger = charging === undefined ? undefined : await openLedger(charging.place);
    const credits = ledger === undefined || charging === undefined ? undefined : { ledger, prices: charging.prices };
    const keys = secret === undefined ? undefined : createKeys([await keyFromSecret(ONLY_KEY, secret).catch(inVariable)]);
    const server = await listening(serve({ ...options, decider, logger, keys, credits }), options);
    const { droppedRequests } = await served(server, stopped);
    return droppedRequests > 0 ? DROPPED : CLEAN;
  } finally {
    try {
      await ledger?.close();
    } finally {
      await decider.close();
      logger.flush();
    }
  }
}

/** Until it is told to stop, or cannot become ready. */
async function served(server: RunningServer, stopped: Promise<void>): Promise<Closed> {
  let closed: Closed;
  try {
    await Promise.race([stopped, server.whenReady().then(() => stopped)]);
  } finally {
    closed = await server.close();
  }
  return closed;
}

function inVariable(error: unknown): never {
  throw DecideError.isInstance(error) ? new RequestFailed("The secret in UMPIRE_API_KEY", error) : error;
}

/** Resolves at the first signal to stop. The second one ends the process. */
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

/** @throws {CommandFailed} that says what to do, where the system lets nobody listen there. */
async function listening(
  server: Promise<RunningServer>,
  { host = "127.0.0.1", port = 8780 }: ServerSettings["serve"],
): Promise<RunningServer> {
  try {
    return await server;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    switch (code) {
      case "EADDRINUSE":
        throw new CommandFailed(`Port ${port} of ${host} is in use. Take another one with --port, or stop the program that has it.`);
      case "EACCES":
        throw new CommandFailed(
          `This user may not listen on port ${port}. Ports below 1024 are often reserved: take another one with --port.`,
        );
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
      case "EAI_AGAIN":
        throw new CommandFailed(`${host} is no address of this machine. Take one of its own with --host, or 0.0.0.0 for all.`);
      default:
        throw error;
    }
  }
}
