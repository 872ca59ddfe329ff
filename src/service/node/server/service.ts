import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
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
import type { AllConnectionLimits, Closed, Logger, RunningServer, ServeSettings } from "../serve-options.ts";
import { answerConnectionErrors, closeWith, serverReply } from "./connection-errors.ts";
import type { ConnectionError } from "./connection-errors.ts";
import { Connections, slowSenders } from "./connections.ts";
import { listen } from "./node-server.ts";
import { hostCheck, requestListener } from "./request-listener.ts";
import { servicePages } from "./service-pages.ts";
import type { Agreements, ServerState, ServicePages } from "./service-pages.ts";

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
  readonly agreements?: (() => Agreements) | undefined;
}

/** Time that aborted calls get to end. */
const ABORT_MS = 1000;
/** Time between two looks at the bodies that are coming in. */
const MAX_LOOK_MS = 1000;

/** The service's life: starting, becoming ready, stopping. */
export class Service implements RunningServer {
  readonly #parts: ServiceParts;
  readonly #connections = new Connections();
  /** Requests being answered. They may outlive their connections. */
  readonly #answering = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #pages: ServicePages;
  url = "";
  port = 0;
  #state: ServerState = "starting";
  #golden: Promise<void> | undefined;
  #closed: Promise<Closed> | undefined;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    const { basePath, metrics, settings, agreements } = parts;
    this.#pages = servicePages({ basePath, metrics, agreements, metricsSecret: settings.metricsSecret, state: () => this.#state });
  }

  get ready(): boolean {
    return this.#state === "ready";
  }

  async start(): Promise<void> {
    const { server, settings, logger, basePath } = this.#parts;
    const { host, port, isTls, limits, ownHosts } = settings;
    const onError = this.#connectionError.bind(this);
    this.#connections.watch(server);
    answerConnectionErrors(server, this.#connections, onError);
    const exchanges = {
      perConnection: limits.pipelined,
      onTooMany: this.#connectionError.bind(this, "pipelined"),
      start: requestListener({
        answer: this.#answer.bind(this),
        isOwnHost: ownHosts === undefined ? () => true : hostCheck(ownHosts),
        replyMs: limits.replyMs,
        onError,
        close: this.#closeWith.bind(this),
      }),
    };
    const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      this.#connections.begin({ incoming, outgoing }, exchanges);
    };
    server.on("request", onRequest);
    // A request with an Expect header other than "100-continue". A server may ignore it.
    server.on("checkExpectation", onRequest);
    this.port = await listen(server, host, port);
    // Not before: a server that cannot listen is never closed.
    this.#closeSlowSenders(limits);
    const name = host.includes(":") ? `[${host}]` : host;
    this.url = `${isTls ? "https" : "http"}://${name}:${this.port}${basePath}`;
    logger.info({ url: this.url }, "listening");
    this.#golden = this.#becomeReady();
    // Those who want to know call whenReady().
    this.#golden.catch(() => undefined);
  }

  async whenReady(): Promise<void> {
    await this.#golden;
  }

  close(): Promise<Closed> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #becomeReady(): Promise<void> {
    const { decider, logger } = this.#parts;
    const startMs = performance.now();
    let model: string;
    try {
      model = await answerGoldenRequest(decider, this.#closing.signal, ({ code, message }) => {
        logger.warn({ code, problem: message }, "the golden request failed and will be retried");
      });
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      this.#state = "failed";
      logger.error({ problem: chainOf(error) }, "the golden request failed: the server will not become ready");
      throw error;
    }
    if (this.#state !== "starting") return;
    this.#state = "ready";
    logger.info({ model, startMs: Math.round(performance.now() - startMs) }, "ready");
  }

  #closeSlowSenders(limits: AllConnectionLimits): void {
    const among = slowSenders(limits);
    const look = (): void => {
      for (const { incoming } of among(this.#connections.current(), performance.now())) this.#closeWith("slow_sender", incoming.socket);
    };
    const looking = setInterval(look, Math.min(MAX_LOOK_MS, Math.ceil(limits.bodyProgressMs / 4))).unref();
    this.#parts.server.once("close", () => {
      clearInterval(looking);
    });
  }

  async #answer(request: Request, arrival: Arrival): Promise<Reply> {
    const { answerer, logger } = this.#parts;
    const answered = this.#pages(request, arrival.client).then((page) => page ?? answerer.answer(request, arrival));
    this.#answering.add(answered);
    try {
      return await answered;
    } catch (error) {
      logger.error({ problem: chainOf(error) }, "a request failed outside the handler");
      return serverReply("unexpected");
    } finally {
      this.#answering.delete(answered);
    }
  }

  #connectionError(kind: ConnectionError): void {
    this.#parts.metrics?.connectionErrors.inc({ kind });
    this.#parts.logger.debug({ kind }, "connection closed because of a fault");
  }

  #closeWith(kind: ConnectionError, socket: Duplex): void {
    this.#connectionError(kind);
    closeWith(kind, socket, this.#connections);
  }

  async #close(): Promise<Closed> {
    const { server, settings, logger, metrics, watched } = this.#parts;
    this.#state = "draining";
    logger.info({ running: this.#connections.running }, "draining");
    this.#closing.abort(new DecideError("closed", "The server was closed."));
    if (settings.shutdownDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, settings.shutdownDelayMs));
    const ended = once(server.close(), "close");
    this.#connections.drain();
    await settledWithin(settings.shutdownMs, ended).catch(ignoreTimeout);
    const droppedRequests = this.#connections.running;
    this.#connections.closeAll();
    await ended;
    await settledWithin(ABORT_MS, Promise.allSettled(this.#answering)).catch(ignoreTimeout);
    for (const one of watched) await one.close();
    metrics?.close();
    logger.info({ droppedRequests }, "closed");
    return { droppedRequests };
  }
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
