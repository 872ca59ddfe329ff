import { once } from "node:events";
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A request that has arrived and whose reply is not completely sent. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * The server's open connections and the exchanges on each, so that a stopping server knows which connections it may close. Node's own list is not
 * enough: it counts a connection as busy until its first request has arrived.
 */
export class Connections {
  readonly #open = new Map<Duplex, Set<Exchange>>();
  /** Connections in their TLS handshake, by the peer's address: the socket that comes out of a handshake is another object. */
  readonly #handshakes = new Map<string, Socket>();
  #isDraining = false;

  watch(server: HttpServer | HttpsServer): void {
    const isTls = server instanceof HttpsServer;
    server.on("connection", (socket: Socket) => {
      if (isTls) this.#handshakeStarted(socket);
      else this.#opened(socket);
    });
    server.on("secureConnection", (socket: Socket) => {
      this.#handshakes.delete(peerOf(socket));
      this.#opened(socket);
    });
  }

  /** The exchanges on a connection, oldest first. */
  exchangesOn(socket: Duplex): readonly Exchange[] {
    return [...(this.#open.get(socket) ?? [])];
  }

  begin(exchange: Exchange): void {
    const { incoming, outgoing } = exchange;
    const { socket } = incoming;
    this.#open.get(socket)?.add(exchange);
    if (this.#isDraining) closeAfter(exchange);
    outgoing.once("close", () => {
      this.#open.get(socket)?.delete(exchange);
      if (this.#isDraining && this.exchangesOn(socket).length === 0) socket.destroySoon();
    });
  }

  /** The number of exchanges on all connections. */
  get running(): number {
    return [...this.#open.values()].reduce((sum, exchanges) => sum + exchanges.size, 0);
  }

  /** Closes idle connections at once, and each of the others after its reply. */
  drain(): void {
    this.#isDraining = true;
    for (const socket of this.#handshakes.values()) socket.destroy();
    for (const [socket, exchanges] of this.#open) {
      if (exchanges.size === 0) socket.destroy();
      for (const exchange of exchanges) closeAfter(exchange);
    }
  }

  /** Closes every connection at once, busy or not. */
  closeAll(): void {
    for (const socket of [...this.#handshakes.values(), ...this.#open.keys()]) socket.destroy();
  }

  #opened(socket: Socket): void {
    this.#open.set(socket, new Set());
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
