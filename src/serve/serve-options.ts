import type { HandlerOptions } from "../http/handler-options.ts";
import { Field } from "../validation/field.ts";
import { throwIfOptionsInvalid } from "../validation/invalid.ts";
import { filledString, wholeNumber } from "../validation/rules.ts";
import type { Rule } from "../validation/rules.ts";
import type { Logger } from "./observability/logger.ts";

export interface ServeOptions extends HandlerOptions {
  /** Address to listen on. Default: `127.0.0.1`, which only this machine can reach; `0.0.0.0` or `::` for all networks. */
  readonly host?: string | undefined;
  /** 0 to 65,535; 0 takes any free port. Default: 8780. */
  readonly port?: number | undefined;
  /** With a certificate the server speaks HTTPS only. Default: plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Key file (written by `umpire keys`) that is followed while the server runs. Use it instead of `keys`, not with it. */
  readonly keyFile?: string | undefined;
  /** Gets a message for each start, request and failure, never a text or a key. Default: nothing is logged. */
  readonly logger?: Logger | undefined;
  /** Whether to serve `/metrics`, which needs no key. Default: true. */
  readonly metrics?: boolean | undefined;
  /** Whether to count requests, tokens and credits by the key's name as well. Default: false. */
  readonly metricsByKey?: boolean | undefined;
  /**
   * Milliseconds for which `close()` goes on accepting requests, with `/readyz` at 503, so that a load balancer can notice before connections are
   * refused. Default: 0.
   */
  readonly shutdownDelayMs?: number | undefined;
  /** Milliseconds that `close()` then gives running requests to finish. Default: 10,000. */
  readonly shutdownMs?: number | undefined;
  readonly connections?: Partial<ConnectionLimits> | undefined;
}

/** Certificate chain and private key, as PEM. */
export interface TlsFiles {
  readonly certPem: string;
  readonly keyPem: string;
}

/** Limits of one connection. A connection that exceeds one is closed, with 408 or 431 if a reply can still be sent. */
export interface ConnectionLimits {
  /**
   * Milliseconds from the start of a connection, or the first byte of a later request, to the end of the request's headers. Also the limit of the
   * TLS handshake. Default: 10,000.
   */
  readonly headersMs: number;
  /** Milliseconds from a request's first byte to the last byte of its body; at least `headersMs`. Default: 30,000. */
  readonly requestMs: number;
  /** Milliseconds allowed for sending a reply. Default: 30,000. */
  readonly replyMs: number;
  /** Milliseconds from a reply to the next request. Must exceed the time for which a proxy in front keeps connections. Default: 65,000. */
  readonly keepAliveMs: number;
  /** Size of the request line and all headers. Default: 16,384. */
  readonly headerBytes: number;
  /** Open connections at one time; further ones are closed at once. Default: 10,000. */
  readonly count: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  replyMs: 30_000,
  keepAliveMs: 65_000,
  headerBytes: 16_384,
  count: 10_000,
};

/** The server's own options, with the defaults filled in. */
export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly shutdownDelayMs: number;
  readonly shutdownMs: number;
  readonly limits: ConnectionLimits;
}

const HOST = filledString("an address or a host's name");
const PORT = wholeNumber(0, 65_535);
const DURATION_MS = wholeNumber(0);
const LIMIT = wholeNumber(1);

/** @throws {DecideError} `invalid_request` with an issue for each invalid option. */
export function readServeOptions(options: ServeOptions): ServeSettings {
  const { host = "127.0.0.1", port = 8780, shutdownDelayMs = 0, shutdownMs = 10_000, connections = {}, keys, keyFile, tls } = options;
  const given = Object.entries(connections).filter(([, value]) => (value as unknown) !== undefined);
  const limits: ConnectionLimits = { ...DEFAULT_CONNECTION_LIMITS, ...Object.fromEntries(given) };
  const read = new Field({ host, port, shutdownDelayMs, shutdownMs, connections: limits, keyFile }, ["options"]);
  read.get("host").keeps(HOST);
  read.get("port").keeps(PORT);
  read.get("shutdownDelayMs").keeps(DURATION_MS);
  read.get("shutdownMs").keeps(DURATION_MS);
  for (const [, limit] of read.get("connections").entries("an object of limits")) limit.keeps(LIMIT);
  read.get("connections").get("requestMs").keeps(atLeast(limits.headersMs));
  if (keys !== undefined) read.get("keyFile").keeps(LEFT_OUT);
  throwIfOptionsInvalid(read.issues);
  return { host, port, isTls: tls !== undefined, shutdownDelayMs, shutdownMs, limits };
}

/** A request includes its headers. */
function atLeast(headersMs: number): Rule {
  return { isKept: (value) => !(Number(value) < headersMs), words: `at least headersMs, ${headersMs}` };
}

const LEFT_OUT: Rule = { isKept: (value) => value === undefined, words: "left out when keys are given" };
