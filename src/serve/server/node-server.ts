import { createServer } from "node:http";
import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { DecideError } from "../../errors.ts";
import type { ConnectionLimits, TlsFiles } from "../serve-options.ts";

/** Peers that went away without a word are noticed by probes from then on. */
const FIRST_PROBE_MS = 30_000;
/** How often connections are looked at. Limits are kept to within so much. */
const MAX_CHECK_MS = 1000;

/**
 * Node's server, with every limit that it leaves open set.
 * @throws {DecideError} `invalid_request` for a certificate or key that is none.
 */
export function createNodeServer(limits: ConnectionLimits, tls: TlsFiles | undefined): Server {
  const { headersMs, requestMs, keepAliveMs, headerBytes, count } = limits;
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(MAX_CHECK_MS, Math.ceil(headersMs / 4)),
    maxHeaderSize: headerBytes,
    keepAlive: true,
    keepAliveInitialDelay: FIRST_PROBE_MS,
    // Ours is answered as JSON.
    requireHostHeader: false,
  };
  const server = tls === undefined ? createServer(options) : createTls(options, tls, headersMs);
  server.maxConnections = count;
  return server;
}

function createTls(options: object, { certPem, keyPem }: TlsFiles, handshakeTimeout: number): Server {
  try {
    // Node takes an empty one for none.
    if (certPem === "" || keyPem === "") throw new TypeError("It is empty");
    return createTlsServer({ ...options, cert: certPem, key: keyPem, handshakeTimeout, minVersion: "TLSv1.2" });
  } catch (cause) {
    const message = "The TLS certificate and key cannot be used. They must be PEM, belong together, and have no passphrase.";
    throw new DecideError("invalid_request", message, { cause });
  }
}

/** @returns the port. @throws what the system says, e.g. `EADDRINUSE`. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens, but at no port");
  return address.port;
}
