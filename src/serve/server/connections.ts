import { once } from "node:events";
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A request that has arrived, and whose reply is not all sent. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * The server's open connections and what runs on each, so that a stopping server knows which it may close. Node's own list cannot say it: a connection
 * that has not sent a request yet counts there as busy.
 */
export class Connections {
  readonly #open = new Map<Duplex, Set<Exchange>>();
  /** Connections in their TLS handshake, by the peer's address: the socket that comes out of it is another one. */
  readonly #handshakes = new Map<string, Socket>();
  #isDraining = false;

  watch(server: HttpServer | HttpsServer): void {
    const isTls = server instanceof HttpsServer;
    server.on("connection", (socket: Socket) => {
      if (isTls) this.#shakesHands(socket);
      else this.#opened(socket);
    });
    server.on("secureConnection", (socket: Socket) => {
      this.#handshakes.delete(peerOf(socket));
      this.#opened(socket);
    });
  }

  /** What runs on a connection, the oldest first. */
  on(socket: Duplex): readonly Exchange[] {
    return [...(this.#open.get(socket) ?? [])];
  }

  begin(exchange: Exchange): void {
    const { incoming, outgoing } = exchange;
    const { socket } = incoming;
    this.#open.get(socket)?.add(exchange);
    if (this.#isDraining) endAfter(exchange);
    outgoing.once("close", () => {
      this.#open.get(socket)?.delete(exchange);
      if (this.#isDraining && this.on(socket).length === 0) socket.destroySoon();
    });
  }

  get running(): number {
    return [...this.#open.values()].reduce((sum, exchanges) => sum + exchanges.size, 0);
  }

  /** Closes every connection on which nothing runs, at once, and every other one after its reply. */
  drain(): void {
    this.#isDraining = true;
    for (const socket of this.#handshakes.values()) socket.destroy();
    for (const [socket, exchanges] of this.#open) {
      if (exchanges.size === 0) socket.destroy();
      for (const exchange of exchanges) endAfter(exchange);
    }
  }

  /** Closes every connection, whatever runs on it. */
  drop(): void {
    for (const socket of [...this.#handshakes.values(), ...this.#open.keys()]) socket.destroy();
  }

  #opened(socket: Socket): void {
    this.#open.set(socket, new Set());
    socket.once("close", () => {
      this.#open.delete(socket);
    });
    // A connection that was under way when the server stopped accepting.
    if (this.#isDraining) socket.destroy();
  }

  #shakesHands(socket: Socket): void {
    const peer = peerOf(socket);
    this.#handshakes.set(peer, socket);
    void once(socket, "close").then(
      () => this.#handshakes.delete(peer),
      () => this.#handshakes.delete(peer),
    );
  }
}

function endAfter({ outgoing }: Exchange): void {
  if (!outgoing.headersSent) outgoing.setHeader("Connection", "close");
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
