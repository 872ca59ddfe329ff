import { once } from "node:events";
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { AllConnectionLimits } from "../serve-options.ts";

/** A request that has arrived and whose reply is not completely sent. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

interface ConnectionsOptions {
  /** Exchanges that a connection may have open; one with more is closed. */
  readonly pipelined: number;
  readonly onTooMany: () => void;
  /** Called for each exchange when its turn comes. */
  readonly start: (exchange: Exchange) => void;
}

interface Connection {
  /** Oldest first. */
  readonly exchanges: Exchange[];
  /** Whether the first of the exchanges is being worked on, or the last one ended in this turn of the event loop. */
  isBusy: boolean;
}

/**
 * The server's open connections and the exchanges on each. The requests of a connection are worked on one after another, so that a client that sends
 * many and reads no reply costs one reply; and a stopping server knows which connections it may close. Node's own list is not enough: it counts a
 * connection as busy until its first request has arrived.
 */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();
  /** Connections in their TLS handshake, by the peer's address: the socket that comes out of a handshake is another object. */
  readonly #handshakes = new Map<string, Socket>();
  readonly #options: ConnectionsOptions;
  #isDraining = false;

  constructor(server: HttpServer | HttpsServer, options: ConnectionsOptions) {
    this.#options = options;
    const isTls = server instanceof HttpsServer;
    server.on("connection", (socket: Socket) => {
      if (isTls) this.#handshakeStarted(socket);
      else this.#opened(socket);
    });
    server.on("secureConnection", (socket: Socket) => {
      this.#handshakes.delete(peerOf(socket));
      this.#opened(socket);
    });
    const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      this.#begin({ incoming, outgoing });
    };
    server.on("request", onRequest);
    // A request with an Expect header other than "100-continue". A server may ignore it.
    server.on("checkExpectation", onRequest);
  }

  /** The exchanges on a connection, oldest first. */
  exchangesOn(socket: Duplex): readonly Exchange[] {
    return this.#open.get(socket)?.exchanges ?? [];
  }

  /** The exchanges that are being worked on: one a connection. */
  *current(): Iterable<Exchange> {
    for (const { exchanges } of this.#open.values()) if (exchanges[0] !== undefined) yield exchanges[0];
  }

  #begin(exchange: Exchange): void {
    const { socket } = exchange.incoming;
    const connection = this.#open.get(socket);
    // Node goes on parsing what had arrived before the connection was lost.
    if (connection === undefined || socket.destroyed) return;
    if (connection.exchanges.length >= this.#options.pipelined) {
      this.#options.onTooMany();
      stopParsing(socket);
      socket.destroy();
      return;
    }
    if (this.#isDraining) closeAfter(exchange);
    connection.exchanges.push(exchange);
    if (!connection.isBusy) this.#startNext(connection);
  }

  #startNext(connection: Connection): void {
    const [exchange] = connection.exchanges;
    connection.isBusy = exchange !== undefined;
    if (exchange === undefined) return;
    const { socket } = exchange.incoming;
    exchange.outgoing.once("close", () => {
      connection.exchanges.shift();
      if (this.#isDraining && connection.exchanges.length === 0) socket.destroySoon();
      // Other connections have their turn first: Node may do all this while it still parses what this connection has sent.
      setImmediate(() => {
        // Nobody would get the reply of a connection that is gone.
        if (socket.writable) this.#startNext(connection);
      });
    });
    this.#options.start(exchange);
  }

  get running(): number {
    return [...this.#open.values()].reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  }

  /** Closes idle connections at once, and each of the others after its reply. */
  drain(): void {
    this.#isDraining = true;
    for (const socket of this.#handshakes.values()) socket.destroy();
    for (const [socket, { exchanges }] of this.#open) {
      if (exchanges.length === 0) socket.destroy();
      for (const exchange of exchanges) closeAfter(exchange);
    }
  }

  closeAll(): void {
    for (const socket of [...this.#handshakes.values(), ...this.#open.keys()]) socket.destroy();
  }

  #opened(socket: Socket): void {
    this.#open.set(socket, { exchanges: [], isBusy: false });
    socket.once("close", () => {
      this.#open.delete(socket);
    });
    // It was already on its way when the server stopped accepting.
    if (this.#isDraining) socket.destroy();
  }

  #handshakeStarted(socket: Socket): void {
    const peer = peerOf(socket);
    this.#handshakes.set(peer, socket);
    void once(socket, "close").then(
      () => this.#handshakes.delete(peer),
      () => this.#handshakes.delete(peer),
    );
  }
}

function closeAfter({ outgoing }: Exchange): void {
  if (!outgoing.headersSent) outgoing.setHeader("Connection", "close");
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Finds the clients whose bodies come in too slowly. Looks at all exchanges now and then, because a timer for each request would cost every request.
 * @returns those of the exchanges whose body has not grown enough; `nowMs` are milliseconds on a monotonic clock
 */
export function slowSenders({ bodyProgressMs, bodyProgressBytes }: Pick<AllConnectionLimits, "bodyProgressMs" | "bodyProgressBytes">) {
  /** For each unfinished body: how much its connection had received, and when. */
  const progress = new WeakMap<IncomingMessage, { readonly bytes: number; readonly sinceMs: number }>();
  return (exchanges: Iterable<Exchange>, nowMs: number): readonly Exchange[] =>
    [...exchanges].filter(({ incoming, outgoing }) => {
      if (incoming.complete || outgoing.headersSent) return false;
      const bytes = incoming.socket.bytesRead;
      const before = progress.get(incoming);
      if (before !== undefined && bytes - before.bytes < bodyProgressBytes) return nowMs - before.sinceMs >= bodyProgressMs;
      progress.set(incoming, { bytes, sinceMs: nowMs });
      return false;
    });
}

/** The part of Node's HTTP parser that matters here. */
interface Parser {
  onIncoming?: () => number;
  incoming?: unknown;
}

/**
 * Keeps Node from working on what else has arrived on a connection that is about to be closed: up to 64 KiB, which may be a thousand requests or ten
 * thousand chunks of a body, and would take far longer than all else that such a connection costs. Node has no call for it. Its parser stops after
 * headers that are answered with 2, as those of an upgrade are, and throws the rest of a body away if no message takes it.
 */
export function stopParsing(socket: Duplex): void {
  const { parser } = socket as Duplex & { readonly parser?: Parser | null };
  if (!parser) return;
  parser.onIncoming = () => 2;
  parser.incoming = null;
}
