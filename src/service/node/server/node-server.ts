import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { DecideError } from "../../../errors.ts";
import type { AllConnectionLimits, TlsFiles } from "../serve-options.ts";

/** Silence after which TCP probes a connection, to notice peers that have vanished. */
const FIRST_PROBE_MS = 30_000;
/** Time between two checks of all connections, and so the precision of their limits. */
const MAX_CHECK_MS = 1000;
export const MAX_HEADERS = 200;

/**
 * Creates Node's server with all its limits set, also those that Node leaves open by default.
 * @throws {DecideError} `invalid_request` for an unusable certificate or key.
 */
export function createNodeServer(limits: AllConnectionLimits, tls: TlsFiles | undefined): Server {
  const { headersMs, requestMs, keepAliveMs, headerBytes, count } = limits;
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(MAX_CHECK_MS, Math.ceil(headersMs / 4)),
    maxHeaderSize: headerBytes,
    keepAlive: true,
    keepAliveInitialDelay: FIRST_PROBE_MS,
    // We check it ourselves, to reply with JSON.
    requireHostHeader: false,
  };
  const server = tls === undefined ? createServer(options) : createTls(options, tls, headersMs);
  server.maxConnections = count;
  // Node leaves out those beyond, although its parser has obeyed them. So a request with as many is refused.
  server.maxHeadersCount = MAX_HEADERS + 1;
  return server;
}

function createTls(options: object, { certPem, keyPem }: TlsFiles, handshakeTimeout: number): Server {
  try {
    // Node treats an empty string as if no certificate was given.
    if (certPem === "" || keyPem === "") throw new TypeError("The certificate or key is empty");
    return createTlsServer({ ...options, cert: certPem, key: keyPem, handshakeTimeout, minVersion: "TLSv1.2" });
  } catch (cause) {
    const message = "The TLS certificate and key cannot be used. They must be PEM, belong together, and have no passphrase.";
    throw new DecideError("invalid_request", message, { cause });
  }
}

/** @returns the port @throws the system's error, with a `code` like `EADDRINUSE` */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server is listening, but not on a port");
  return address.port;
}

/** Descriptors that the server needs besides its connections: for the model's worker and one that replaces it, the key file, the ledger, `/metrics`. */
const RESERVE = 32;

/**
 * The number of connections that the server can have open at a time: what the limit of open files leaves beside what is open now, at least 1. Without a limit, and
 * where the system does not say, Infinity.
 * @param limits the text of `/proc/<pid>/limits`
 */
export function affordableConnections(limits: string = ownLimits()): number {
  const [, soft] = /^Max open files +(\d+) /mu.exec(limits) ?? [];
  return soft === undefined ? Infinity : Math.max(1, Number(soft) - readdirSync("/proc/self/fd").length - RESERVE);
}

function ownLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    // Not Linux.
    return "";
  }
}
