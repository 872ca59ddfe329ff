import { DecideError } from "../errors.ts";
import type { Issue } from "../errors.ts";
import type { HandlerOptions } from "../http/handler-options.ts";
import { shapeOf } from "../validation/shape.ts";
import type { Logger } from "./watching/logger.ts";

export interface ServeOptions extends HandlerOptions {
  /** Address to listen on. Default: `127.0.0.1`, which only this machine reaches; `0.0.0.0` or `::` for all networks. */
  readonly host?: string | undefined;
  /** 0 to 65,535; 0 takes any that is free. Default: 8780. */
  readonly port?: number | undefined;
  /** Certificate chain and private key, as PEM: the server speaks HTTPS only. Default: plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Key file (`umpire keys`) that is followed while the server runs, instead of `keys`. */
  readonly keyFile?: string | undefined;
  /** Told of starts, requests and failures, never of a text or a key. Default: nobody. */
  readonly logger?: Logger | undefined;
  /** Serves `/metrics`, without a key. Default: true. */
  readonly metrics?: boolean | undefined;
  /** Counts requests, tokens and credits by the key's name as well. Default: false. */
  readonly metricsByKey?: boolean | undefined;
  /**
   * How long `close()` goes on accepting, with `/readyz` at 503, so that a load balancer notices before connections are refused. Default: 0.
   */
  readonly shutdownDelayMs?: number | undefined;
  /** How long `close()` lets requests finish from then on. Default: 10,000. */
  readonly shutdownMs?: number | undefined;
  readonly connections?: Partial<ConnectionLimits> | undefined;
}

export interface TlsFiles {
  readonly certPem: string;
  readonly keyPem: string;
}

/** What a connection may take. One that takes more is closed, with 408 or 431 where a reply can still be sent. */
export interface ConnectionLimits {
  /** From the connection, or the first byte of the next request, to the end of its headers. Also the TLS handshake. Default: 10,000. */
  readonly headersMs: number;
  /** From its first byte to the last one of its body; `headersMs` or more. Default: 30,000. */
  readonly requestMs: number;
  /** From the reply's being there to its last byte's being taken. Default: 30,000. */
  readonly replyMs: number;
  /** From a reply to the next request. Longer than a proxy in front keeps its connections, or it will see some break. Default: 65,000. */
  readonly keepAliveMs: number;
  /** Size of the request line and all headers. Default: 16,384. */
  readonly headerBytes: number;
  /** Open at one time; more are closed at once. Default: 10,000. */
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

/** Options of the server with nothing left open. */
export interface ServeDefaults {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly shutdownDelayMs: number;
  readonly shutdownMs: number;
  readonly limits: ConnectionLimits;
}

/** @throws {DecideError} `invalid_request` naming every option that is none. */
export function withServeDefaults(options: ServeOptions): ServeDefaults {
  const { host = "127.0.0.1", port = 8780, shutdownDelayMs = 0, shutdownMs = 10_000, connections = {}, keys, keyFile, tls } = options;
  const given = Object.fromEntries(Object.entries(connections).filter(([, value]) => (value as unknown) !== undefined));
  const limits: ConnectionLimits = { ...DEFAULT_CONNECTION_LIMITS, ...given };
  const issues: Issue[] = [];
  const check = (path: readonly string[], right: boolean, rule: string, value: unknown): void => {
    const shown = typeof value === "number" ? value : shapeOf(value);
    if (!right) issues.push({ loc: ["options", ...path], msg: `must be ${rule}, but is ${shown}`, type: "unknown_value" });
  };
  check(["host"], typeof host === "string" && host !== "", "an address or a host's name", host);
  check(["port"], isCount(port) && port <= 65_535, "a whole number from 0 to 65535", port);
  check(["shutdownDelayMs"], isCount(shutdownDelayMs), "a whole number, 0 or more", shutdownDelayMs);
  check(["shutdownMs"], isCount(shutdownMs), "a whole number, 0 or more", shutdownMs);
  for (const [name, value] of Object.entries(limits)) {
    check(["connections", name], Number.isInteger(value) && Number(value) >= 1, "a whole number, 1 or more", value);
  }
  check(["connections", "requestMs"], limits.requestMs >= limits.headersMs, "headersMs or more", limits.requestMs);
  check(["keyFile"], keyFile === undefined || keys === undefined, "left out where there are keys", keyFile);
  if (issues.length === 0) return { host, port, isTls: tls !== undefined, shutdownDelayMs, shutdownMs, limits };
  const said = issues.map(({ loc, msg }) => `${loc.slice(1).join(".")} ${msg}`).join("; ");
  throw new DecideError("invalid_request", `The options are not valid: ${said}.`, { issues });
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}
