import { once } from "node:events";
import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { settledWithin, TimedOut } from "../../../library/async/signals.ts";
import type { DecideRequest } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { asDecideError, DecideError } from "../../../errors.ts";
import type { Answerer } from "../../handler/handler.ts";
import type { Arrival } from "../../handler/observation.ts";
import type { Reply } from "../../handler/responses.ts";
import { chainOf } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Closed, Logger, RunningServer, ServeSettings } from "../serve-options.ts";
import { answerConnectionErrors, closeWith, serverReply, type ConnectionError } from "./connection-errors.ts";
import { Connections, slowSenders } from "./connections.ts";
import { listen } from "./node-server.ts";
import { hostCheck, requestListener } from "./request-listener.ts";
import { servicePages, type PagesOptions, type ServerState } from "./service-pages.ts";

interface ServiceParts {
  readonly server: Server;
  readonly answerer: Answerer;
  readonly decider: Decider;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  /** Closed with the service. */
  readonly watched: readonly { close(): Promise<void> }[];
  readonly settings: ServeSettings;
  readonly basePath: string;
  /** With a hosted API behind the service. */
  readonly observer: PagesOptions["observer"];
}

/** Time that aborted calls get to end. */
const ABORT_MS = 1000;
/** Time between two looks at the bodies that are coming in. */
const MAX_LOOK_MS = 1000;

/** Starts the service, which then becomes ready by itself. @throws the system's error if the server cannot listen */
export async function startService(parts: ServiceParts): Promise<RunningServer> {
  const { server, answerer, decider, logger, metrics, watched, settings, basePath, observer } = parts;
  const { host, isTls, limits, ownHosts, metricsSecret } = settings;
  /** Requests being answered. They may outlive their connections. */
  const answering = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let state: ServerState = "starting";
  const pages = servicePages({ basePath, metrics, observer, metricsSecret, state: () => state });
  metrics?.read({
    waiting: () => answerer.load.waiting,
    running: () => answerer.load.running,
    workersStarted: () => decider.stats().workersStarted,
    isReady: () => state === "ready",
  });

  const onError = (kind: ConnectionError): void => {
    metrics?.connectionErrors.inc({ kind });
    logger.debug({ kind }, "connection closed because of a fault");
  };
  const closeFor = (kind: ConnectionError, socket: Duplex): void => {
    onError(kind);
    closeWith(kind, socket, connections);
  };
  const answer = async (request: Request, arrival: Arrival): Promise<Reply> => {
    const answered = pages(request, arrival.client).then((page) => page ?? answerer.answer(request, arrival));
    answering.add(answered);
    try {
      return await answered;
    } catch (error) {
      logger.error({ problem: chainOf(error) }, "a request failed outside the handler");
      return serverReply("unexpected");
    } finally {
      answering.delete(answered);
    }
  };
  const connections = new Connections(server, {
    pipelined: limits.pipelined,
    onTooMany: () => {
      onError("pipelined");
    },
    start: requestListener({
      answer,
      isOwnHost: ownHosts === undefined ? () => true : hostCheck(ownHosts),
      replyMs: limits.replyMs,
      onError,
      close: closeFor,
    }),
  });

  /** Closes the connections whose bodies come in too slowly, for as long as the server is open. */
  function watchSenders(): void {
    const among = slowSenders(limits);
    const look = (): void => {
      for (const { incoming } of among(connections.current(), performance.now())) closeFor("slow_sender", incoming.socket);
    };
    const looking = setInterval(look, Math.min(MAX_LOOK_MS, Math.ceil(limits.bodyProgressMs / 4))).unref();
    server.once("close", () => {
      clearInterval(looking);
    });
  }

  async function becomeReady(): Promise<void> {
    const startMs = performance.now();
    let model: string;
    try {
      model = await answerGoldenRequest(decider, closing.signal, ({ code, message }) => {
        logger.warn({ code, problem: message }, "the golden request failed and will be retried");
      });
    } catch (error) {
      if (closing.signal.aborted) throw error;
      state = "failed";
      logger.error({ problem: chainOf(error) }, "the golden request failed: the server will not become ready");
      throw error;
    }
    if (state !== "starting") return;
    state = "ready";
    logger.info({ model, startMs: Math.round(performance.now() - startMs) }, "ready");
  }

  async function end(): Promise<Closed> {
    state = "draining";
    logger.info({ running: connections.running }, "draining");
    closing.abort(new DecideError("closed", "The server was closed."));
    if (settings.shutdownDelayMs > 0) await delay(settings.shutdownDelayMs);
    const ended = once(server.close(), "close");
    connections.drain();
    await settledWithin(settings.shutdownMs, ended).catch(ignoreTimeout);
    const droppedRequests = connections.running;
    connections.closeAll();
    await ended;
    await settledWithin(ABORT_MS, Promise.allSettled(answering)).catch(ignoreTimeout);
    for (const one of watched) await one.close();
    metrics?.close();
    logger.info({ droppedRequests }, "closed");
    return { droppedRequests };
  }

  answerConnectionErrors(server, connections, onError);
  const port = await listen(server, host, settings.port);
  // Not before: a server that cannot listen is never closed.
  watchSenders();
  const name = host.includes(":") ? `[${host}]` : host;
  const url = `${isTls ? "https" : "http"}://${name}:${port}${basePath}`;
  logger.info({ url }, "listening");
  const golden = becomeReady();
  // Those who want to know call whenReady().
  golden.catch(() => undefined);
  let closed: Promise<Closed> | undefined;
  const close = (): Promise<Closed> => (closed ??= end());
  return {
    url,
    port,
    get ready() {
      return state === "ready";
    },
    whenReady: () => golden,
    close,
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof TimedOut)) throw error;
}

const GOLDEN = {
  state: "The parcel arrived two weeks late, and the box was torn open.",
  questions: {
    topic: { type: "choice", instructions: "What is the text about?", criteria: { delivery: null, cooking: null, music: null } },
  },
} as const satisfies DecideRequest;
const RIGHT = "delivery";
const RETRY_MS = 1000;

/**
 * Asks one question whose right answer is known. Retries failures that may pass, after telling `onRetry`, until `signal` is aborted.
 * @param retryMs milliseconds before each retry. Default: 1,000
 * @returns the id of the model that answered
 * @throws {DecideError} the decider's own error; `model_invalid` if the answer is wrong.
 * @throws `signal.reason`
 */
export async function answerGoldenRequest(
  decider: Decider,
  signal: AbortSignal,
  onRetry: (error: DecideError) => void,
  retryMs: number = RETRY_MS,
): Promise<string> {
  for (;;) {
    try {
      const { answers, model } = await decider.decide(GOLDEN, { signal });
      if (answers.topic.choice === RIGHT) return model;
      throw new DecideError("model_invalid", `${model} gave a wrong answer to the golden request. Do not trust its other answers.`);
    } catch (error) {
      signal.throwIfAborted();
      const known = asDecideError(error);
      if (!known.retryable) throw known;
      onRetry(known);
      // It rejects with an AbortError, not with the signal's reason.
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}
