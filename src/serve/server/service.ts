import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Decider } from "../../decider/decider.ts";
import { DecideError } from "../../errors.ts";
import type { Handler } from "../../http/handler-options.ts";
import { answerConnectionErrors } from "./connection-errors.ts";
import type { ConnectionError } from "./connection-errors.ts";
import { Connections } from "./connections.ts";
import { answerGoldenRequest } from "./golden-request.ts";
import type { Logger } from "../watching/logger.ts";
import type { Metrics } from "../watching/metrics.ts";
import { listen } from "./node-server.ts";
import { malformedRequest, unexpectedError } from "./own-errors.ts";
import { sendReply } from "./reply.ts";
import type { Closed, RunningServer } from "./running-server.ts";
import { chainOf } from "../watching/request-log.ts";
import type { ServeDefaults } from "../serve-options.ts";
import { answerServicePage } from "./service-pages.ts";
import type { ServerState } from "./service-pages.ts";
import { settlesWithin } from "./settles-within.ts";

export interface ServiceParts {
  readonly server: Server;
  readonly handler: Handler;
  readonly decider: Decider;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  /** What ends with the service. */
  readonly watched: { close(): Promise<void> } | undefined;
  readonly settings: ServeDefaults;
  readonly basePath: string;
}

/** An aborted call needs that long at most to notice it. */
const ABORT_MS = 1000;

export class Service implements RunningServer {
  readonly #parts: ServiceParts;
  readonly #connections = new Connections();
  /** Requests in the handler, which may outlive their connections. */
  readonly #handled = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #state: ServerState = "starting";
  #url = "";
  #port = 0;
  #golden: Promise<void> | undefined;
  #closed: Promise<Closed> | undefined;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  get url(): string {
    return this.#url;
  }

  get port(): number {
    return this.#port;
  }

  get ready(): boolean {
    return this.#state === "ready";
  }

  async start(): Promise<void> {
    const { server, settings, logger, basePath } = this.#parts;
    const { host, port, isTls } = settings;
    this.#connections.watch(server);
    answerConnectionErrors(server, this.#connections, (kind) => {
      this.#connectionError(kind);
    });
    const onRequest = this.#listener();
    server.on("request", onRequest);
    // Whatever else a client expects of the server: it may be ignored.
    server.on("checkExpectation", onRequest);
    this.#port = await listen(server, host, port);
    const name = host.includes(":") ? `[${host}]` : host;
    this.#url = `${isTls ? "https" : "http"}://${name}:${this.#port}${basePath}`;
    logger.info({ url: this.#url }, "listening");
    this.#golden = this.#becomeReady();
    // Whoever wants to know asks whenReady().
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
    try {
      await answerGoldenRequest(decider, this.#closing.signal, ({ code, message }) => {
        logger.warn({ code, problem: message }, "the golden request failed and is tried again");
      });
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      this.#state = "failed";
      logger.error({ problem: chainOf(error) }, "the golden request failed: this server does not become ready");
      throw error;
    }
    if (this.#state !== "starting") return;
    this.#state = "ready";
    logger.info({ startMs: Math.round(performance.now() - startMs) }, "ready");
  }

  #listener(): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
    const { replyMs } = this.#parts.settings.limits;
    const send = (response: Response, outgoing: ServerResponse): Promise<void> =>
      sendReply(response, outgoing, replyMs, () => {
        this.#connectionError("slow_reader");
        outgoing.destroy();
      });
    const listener = getRequestListener(
      async (request, { outgoing }) => {
        // The server is HTTP/1.1, and its responses are Node's.
        await send(await this.#answer(request), outgoing as ServerResponse);
        return RESPONSE_ALREADY_SENT;
      },
      {
        // Of clients that speak HTTP/1.0, which name none.
        hostname: "localhost",
        overrideGlobalObjects: false,
        errorHandler: () => {
          this.#connectionError("malformed");
          return malformedRequest();
        },
      },
    );
    return (incoming, outgoing) => {
      this.#connections.begin({ incoming, outgoing });
      if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") {
        this.#connectionError("malformed");
        void send(malformedRequest(), outgoing);
      } else void listener(incoming, outgoing);
    };
  }

  async #answer(request: Request): Promise<Response> {
    const { basePath, metrics, handler, logger } = this.#parts;
    const answered = answerServicePage(request, { basePath, metrics, state: () => this.#state }).then((page) => page ?? handler(request));
    this.#handled.add(answered);
    try {
      return await answered;
    } catch (error) {
      logger.error({ problem: chainOf(error) }, "a request failed outside of the handler");
      return unexpectedError();
    } finally {
      this.#handled.delete(answered);
    }
  }

  #connectionError(kind: ConnectionError): void {
    this.#parts.metrics?.connectionError(kind);
    this.#parts.logger.debug({ kind }, "connection closed for a fault");
  }

  async #close(): Promise<Closed> {
    const { server, settings, logger, metrics, watched } = this.#parts;
    this.#state = "draining";
    logger.info({ running: this.#connections.running }, "draining");
    this.#closing.abort(new DecideError("closed", "The server was closed."));
    if (settings.shutdownDelayMs > 0) await delay(settings.shutdownDelayMs);
    const ended = new Promise<void>((resolve) =>
      server.close(() => {
        resolve();
      }),
    );
    this.#connections.drain();
    await settlesWithin(ended, settings.shutdownMs);
    const droppedRequests = this.#connections.running;
    this.#connections.drop();
    await ended;
    await settlesWithin(Promise.allSettled(this.#handled), ABORT_MS);
    await watched?.close();
    metrics?.close();
    logger.info({ droppedRequests }, "closed");
    return { droppedRequests };
  }
}
