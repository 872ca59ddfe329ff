import { checkParts, HANDLER_OPTIONS, type HandlerOptions } from "../handler/handler-options.ts";
import {
  canDo,
  Field,
  filledString,
  matching,
  refuseUnknown,
  throwIfOptionsInvalid,
  TRUE_OR_FALSE,
  wholeNumber,
} from "../../library/validation/field.ts";
import type { Rule } from "../../library/validation/field.ts";

/** The work that a server broke off when it was closed. */
export interface Closed {
  /** Requests still running after `shutdownMs`: their connections were closed and their calls aborted. */
  readonly droppedRequests: number;
}

export interface RunningServer extends AsyncDisposable {
  /** The service's address, with the base path: `http://127.0.0.1:8780`. */
  readonly url: string;
  readonly port: number;
  /** True from the answer to the golden request until `close()`. */
  readonly ready: boolean;
  /**
   * Resolves when the golden request has been answered.
   * @throws {DecideError} the reason if the golden request fails, in which case the server keeps running but never becomes ready; `closed` if the
   *   server is closed first.
   */
  whenReady(): Promise<void>;
  /**
   * Stops accepting requests, gives running ones `shutdownMs` to finish, and drops the rest. Leaves the decider and the ledger open. Further calls
   * return the same result.
   */
  close(): Promise<Closed>;
}

/** From the lowest. Here, because the logger brings pino, which the options do not need. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where the server logs: each message comes with its fields. A pino logger is one, and so is `console`. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

export interface ServeOptions extends HandlerOptions {
  /** Address to listen on. Default: `127.0.0.1`, which only this machine can reach; `0.0.0.0` or `::` for all networks. */
  readonly host?: string | undefined;
  /** 0 to 65,535; 0 takes any free port. Default: 8780. */
  readonly port?: number | undefined;
  /** With a certificate the server speaks HTTPS only. Default: plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Key file (written by `umpire keys`) that is followed while the server runs. Use it instead of `keys`, not with it. */
  readonly keyFile?: string | undefined;
  /**
   * Folder with lessons (files `*.json`, each what `decider.teach` gave), which the decider learns before the server listens, and which is followed while it
   * runs. Default: none.
   */
  readonly lessons?: string | undefined;
  /** Gets a message for each start, request and failure, never a text or a key. Default: nothing is logged. */
  readonly logger?: Logger | undefined;
  /** Whether to serve `/metrics`, which needs no key. Default: true. */
  readonly metrics?: boolean | undefined;
  /** Bearer token that `/metrics` then needs: printable ASCII characters without spaces. Default: none. */
  readonly metricsSecret?: string | undefined;
  /** Whether to count requests, tokens and credits by the key's name as well. Needs a `metricsSecret`, because keys' names are nobody else's. Default: false. */
  readonly metricsByKey?: boolean | undefined;
  /**
   * Names by which clients call this server, such as `umpire.internal`, without a port. A request with another `Host` gets 421. IP addresses, `localhost`
   * and `host` need not be listed. Default: none, which means only those if there are no keys, and any name if there are keys.
   */
  readonly hostNames?: readonly string[] | undefined;
  /**
   * Milliseconds for which `close()` goes on accepting requests, with `/readyz` at 503, so that a load balancer can notice before connections are
   * refused. Default: 0.
   */
  readonly shutdownDelayMs?: number | undefined;
  /** Milliseconds that `close()` then gives running requests to finish. Default: 10,000. */
  readonly shutdownMs?: number | undefined;
  readonly connections?: Partial<ConnectionLimits> | undefined;
  /** A hosted API that answers what this service has not learned to answer yet. Goes without `keys`, `credits` and `lessons`. Default: none. */
  readonly upstream?: UpstreamOptions | undefined;
}

/** A hosted decision API behind the service. */
export interface UpstreamOptions {
  /** Its address before the paths, such as `https://api.openai.com`. Requests go to the path that they came to, below it, with the caller's own key. */
  readonly url: string;
  /** The SQLite file that keeps what was observed, for one server. Needs the package libsql. Default: `umpire-upstream.db` in the working folder. */
  readonly store?: string | undefined;
  /** Whether questions are answered here once they can be. Default: false, they are only observed. */
  readonly switch?: boolean | undefined;
  /** The share of answers here that may differ from the hosted API's, above 0 and below 1. Default: 0.05. */
  readonly maxDisagreement?: number | undefined;
  /** `local`: what the hosted API fails to answer is answered here. Default: the caller gets its error. */
  readonly fallback?: "local" | undefined;
}

export const DEFAULT_STORE = "umpire-upstream.db";
export const DEFAULT_MAX_DISAGREEMENT = 0.05;

/** Certificate chain and private key, as PEM. */
export interface TlsFiles {
  readonly certPem: string;
  readonly keyPem: string;
}

/** Limits of connections. */
export interface ConnectionLimits {
  /** Milliseconds from a reply to the next request. Must exceed the time for which a proxy in front keeps connections. Default: 65,000. */
  readonly keepAliveMs: number;
  /**
   * Open connections at one time; further ones are closed at once. At most what the limit of open files (`ulimit -n`) leaves, where that is known (on
   * Linux). Default: 10,000, or less if the limit leaves less.
   */
  readonly count: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = { keepAliveMs: 65_000, count: 10_000 };

/** Limits of one connection that are no options: clients that mean well keep them. A connection that exceeds one is closed, with 408 or 431 if a reply can still be sent. */
export const FIXED_CONNECTION_LIMITS = {
  /** Milliseconds from the start of a connection, or the first byte of a later request, to the end of the request's headers. Also the limit of the TLS handshake. */
  headersMs: 10_000,
  /** Milliseconds from a request's first byte to the last byte of its body: a megabyte at 35 kB a second. */
  requestMs: 30_000,
  /** The least rate of an upload, 819 bytes a second: within these milliseconds an unfinished body has to grow by these bytes. Exceeded: 408. */
  bodyProgressMs: 5000,
  bodyProgressBytes: 4096,
  /** Milliseconds allowed for sending a reply, of which none has more than some 100 kB. */
  replyMs: 30_000,
  /** Size of the request line and all headers, as Node has it. */
  headerBytes: 16_384,
  /**
   * Requests that a connection may have sent without having received the reply, the one being answered included. They are answered one after another, so more of
   * them gain nothing. A connection with more is closed without a reply.
   */
  pipelined: 16,
};

export type AllConnectionLimits = ConnectionLimits & typeof FIXED_CONNECTION_LIMITS;

/** The server's own options, with the defaults filled in. */
export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly shutdownDelayMs: number;
  readonly shutdownMs: number;
  readonly limits: AllConnectionLimits;
  /** Names to which the server answers, besides `localhost` and IP addresses; undefined for all names. */
  readonly ownHosts: readonly string[] | undefined;
  readonly metricsSecret: string | undefined;
}

export const A_HOST_NAME = matching(/^[\w-]+(\.[\w-]+)*$/u, "a host's name like umpire.internal, without a port");
const able = (methods: readonly string[], words: string): Rule => ({ isKept: (value) => canDo(value, methods), words });
const leftOut = (why: string): Rule => ({ isKept: (value) => value === undefined, words: `left out ${why}` });
/** Also bytes, as files are read. What they hold, the server finds out. */
const PEM: Rule = {
  isKept: (value) => typeof value === "string" || value instanceof Uint8Array,
  words: "the text of a PEM file",
};

/** Every option of the server's own, so that the compiler asks for each. Those without a rule have a check of their own. */
const RULES: { readonly [Name in Exclude<keyof ServeOptions, keyof HandlerOptions>]-?: Rule | undefined } = {
  host: filledString("an address or a host's name"),
  port: wholeNumber(0, 65_535),
  tls: undefined,
  keyFile: undefined,
  lessons: filledString("the path of a folder with lessons"),
  logger: able(["debug", "info", "warn", "error"], "a logger, such as createLogger() or console"),
  metrics: TRUE_OR_FALSE,
  metricsSecret: matching(/^[!-~]+$/u, "one or more printable ASCII characters without spaces"),
  metricsByKey: TRUE_OR_FALSE,
  hostNames: undefined,
  shutdownDelayMs: wholeNumber(0),
  shutdownMs: wholeNumber(0),
  connections: undefined,
  upstream: undefined,
};

/** Its key would be read on the way by whoever listens, were it not encrypted. */
export const AN_UPSTREAM: Rule = {
  isKept: (value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return false;
    const { protocol, hostname, username, password, search, hash } = new URL(value);
    const isHere = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/u.test(hostname);
    return (protocol === "https:" || (protocol === "http:" && isHere)) && username + password + search + hash === "";
  },
  words: "an https URL like https://api.openai.com, without a key, a query or a fragment (http only to this machine itself)",
};
const UPSTREAM_RULES: { readonly [Name in keyof UpstreamOptions]-?: Rule } = {
  url: AN_UPSTREAM,
  store: filledString("the path of a file"),
  switch: TRUE_OR_FALSE,
  maxDisagreement: {
    isKept: (value) => typeof value === "number" && value > 0 && value < 1,
    words: "a number above 0 and below 1, such as 0.05 for 5 in 100",
  },
  fallback: { isKept: (value) => value === "local", words: '"local", or left out' },
};

function checkUpstream(upstream: Field, all: Field): void {
  if (upstream.isMissing || !upstream.isObject("an object with the url of a hosted API")) return;
  refuseUnknown(upstream, Object.keys(UPSTREAM_RULES));
  const { url, ...others } = UPSTREAM_RULES;
  upstream.get("url").keeps(url);
  for (const [name, rule] of Object.entries(others)) upstream.get(name).mayKeep(rule);
  const methods = ["info", "readExample", "teach", "learn", "forget"];
  all.get("decider").keeps(able(methods, "a decider that learns, such as createDecider(), because there is an upstream"));
  const why = "where there is an upstream: keys and credits are the hosted API's, and lessons come from its answers";
  for (const name of ["keys", "keyFile", "credits", "lessons"]) all.get(name).keeps(leftOut(why));
}

/**
 * @param maxConnections how many connections this process can have open
 * @param fixed limits that are no options; tests give others
 * @throws {DecideError} `invalid_request` with an issue for each invalid option.
 */
export function readServeOptions(
  options: ServeOptions,
  maxConnections = Infinity,
  fixed: Partial<typeof FIXED_CONNECTION_LIMITS> = {},
): ServeSettings {
  const all = new Field(options, ["options"]);
  if (!all.isObject("an object with a decider")) throwIfOptionsInvalid(all.issues);
  const given = all.get("connections");
  if (!given.isMissing && !given.isObject("an object of limits")) throwIfOptionsInvalid(all.issues);
  const { host = "127.0.0.1", port = 8780, shutdownDelayMs = 0, shutdownMs = 10_000, connections = {}, keys, keyFile, tls } = options;
  const { lessons, metricsSecret, metricsByKey, hostNames } = options;
  refuseUnknown(all, [...Object.keys(RULES), ...HANDLER_OPTIONS]);
  checkParts(all);
  for (const [name, rule] of Object.entries(RULES)) if (rule !== undefined) all.get(name).mayKeep(rule);
  checkTls(all.get("tls"));
  checkUpstream(all.get("upstream"), all);
  if (typeof lessons === "string" && lessons !== "")
    all
      .get("decider")
      .keeps(able(["learn", "forget", "lessons"], "a decider that learns, such as createDecider(), because there are lessons"));
  if (metricsByKey === true && metricsSecret === undefined)
    all.get("metricsByKey").refuse("needs a metricsSecret: without one, everybody can read the names of the keys", "missing");
  const names = all.get("hostNames");
  if (!names.isMissing) for (const name of names.items("an array of hosts' names like umpire.internal")) name.keeps(A_HOST_NAME);
  refuseUnknown(given, Object.keys(DEFAULT_CONNECTION_LIMITS));
  for (const name of Object.keys(DEFAULT_CONNECTION_LIMITS)) given.get(name).mayKeep(wholeNumber(1));
  // A server that accepts more would have no descriptor left for its key file and its ledger.
  given.get("count").mayKeep({
    isKept: (value) => !(Number(value) > maxConnections),
    words: `at most ${maxConnections}, what this process's limit of open files leaves (raise it with ulimit -n)`,
  });
  all.get("keyFile").mayKeep(keys === undefined ? filledString("the path of a key file") : leftOut("when keys are given"));
  throwIfOptionsInvalid(all.issues);
  const { keepAliveMs, count } = DEFAULT_CONNECTION_LIMITS;
  const limits: AllConnectionLimits = {
    ...FIXED_CONNECTION_LIMITS,
    ...fixed,
    keepAliveMs: connections.keepAliveMs ?? keepAliveMs,
    count: connections.count ?? Math.min(count, maxConnections),
  };
  const isOpen = keys === undefined && keyFile === undefined;
  const ownHosts = hostNames !== undefined || isOpen ? [host, ...(hostNames ?? [])].map((name) => name.toLowerCase()) : undefined;
  return { host, port, isTls: tls !== undefined, shutdownDelayMs, shutdownMs, limits, ownHosts, metricsSecret };
}

function checkTls(tls: Field): void {
  const names = ["certPem", "keyPem"] as const satisfies (keyof TlsFiles)[];
  if (tls.isMissing || !tls.isObject(`an object with ${names.join(" and ")}`)) return;
  for (const name of names) tls.get(name).keeps(PEM);
  refuseUnknown(tls, names);
}
