import type { Decider } from "umpire";
import { createLogger, serve } from "umpire/serve";
import type { RunningServer, ServeOptions } from "umpire/serve";
import type * as source from "../../../src/service/node/serve.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { UNHURRIED } from "../../support/unhurried.ts";

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Running extends AsyncDisposable {
  readonly server: RunningServer;
  readonly decider: Decider;
  /** Every logged line. */
  readonly log: string[];
  /** `/metrics`, without comments. */
  readonly metrics: () => Promise<string>;
  /** Resolves once the decider works on a request. A call's beginning and end are in two turns of the event loop, so it misses none. */
  readonly untilWorking: () => Promise<void>;
  /** Asks a question about a state, and returns the raw response. */
  readonly ask: (state: string, init?: AskOptions) => Promise<Response>;
}

/** Limits that are no options: users cannot give them, but their tests would take long. */
type FixedLimits = Parameters<typeof source.serve>[1];
export const serveWith: typeof source.serve = serve;

/** A ready server on a free port. It closes no decider, neither the shared one nor one that it is given. */
export async function running({ decider = sharedDecider, ...options }: Partial<ServeOptions> = {}, fixed?: FixedLimits): Promise<Running> {
  const log: string[] = [];
  const logger = createLogger({ level: "debug", destination: { write: (line: string) => void log.push(line) } });
  const server = await serveWith({ decider, logger, port: 0, ...options, limits: { ...UNHURRIED, ...options.limits } }, fixed);
  await server.whenReady();
  const metricsHeaders = { authorization: `Bearer ${options.metricsSecret ?? "none"}` };
  return {
    server,
    decider,
    log,
    metrics: async () => (await (await fetch(`${server.url}/metrics`, { headers: metricsHeaders })).text()).replace(/^#.*\n/gmu, ""),
    untilWorking: async () => {
      while (decider.stats().pendingCalls === 0) await new Promise(setImmediate);
    },
    ask: (state, init) =>
      fetch(`${server.url}/decision/v1/model`, {
        method: "POST",
        body: JSON.stringify(requestAbout(state)),
        ...init,
        headers: { "content-type": "application/json", ...init?.headers },
      }),
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}

export function requestAbout(state: string): object {
  return {
    model: "latest",
    state,
    questions: { late: { type: "noul", instructions: "Did it come late?" } },
  };
}

/** At least a third of a second of work. */
export const LONG_STATE = "the parcel came late ".repeat(600);
