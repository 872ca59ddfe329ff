import type { Usage } from "../../library/decide/types.ts";
import type { DecideErrorCode } from "../../errors.ts";
import type { BodyChunks } from "../body/body.ts";

/** The status reported for a client that disconnected before the reply: nginx uses this number. */
export const HUNG_UP = 499;

export interface AnswerCounts {
  /** By a lesson. */
  readonly taught: number;
  readonly untaught: number;
}

/** Why the hosted API gave no answer that can be passed on. A label of metrics. */
export type FailureReason = "connection" | "timeout" | "redirect" | "cut" | "too_large" | "not_json" | "wrong_shape" | "status";

/** The facts of one request that can be logged and counted: never the caller's text, never a key's secret. */
export interface Served {
  readonly requestId: string;
  readonly method: string;
  /** The endpoint: `decide`, `models` or `openapi`; `none` for an unknown path. */
  readonly route: RouteName | "none";
  /** HTTP status; 499 if the client disconnected before the reply. */
  readonly status: number;
  /** Absent for a success and for a client that disconnected. */
  readonly code?: DecideErrorCode;
  /** The underlying error, for the log only. */
  readonly cause?: unknown;
  /** Name of the key, if it is known. */
  readonly key?: string;
  /** Id of the model that answered. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly answers?: AnswerCounts;
  /** Credits taken for this request, in nanocredits; absent if requests are free. */
  readonly nanocredits?: number;
  /** Time from the arrival of the request's headers to the reply. */
  readonly durationMs: number;
  /** The part of `durationMs` that the request waited in the queue. */
  readonly queuedMs?: number;
  /** With a hosted API behind the service: who answered how many questions. */
  readonly sources?: { readonly upstream: number; readonly local: number };
  /** Milliseconds that the hosted API took. */
  readonly upstreamMs?: number;
  /** Why the hosted API's reply could not be used, also where the questions were answered here instead. */
  readonly upstreamFailure?: FailureReason;
  /** Why this service could not answer a question itself, and the hosted API had to. */
  readonly localFailure?: DecideErrorCode;
}

export type OnServed = (served: Served) => void;

type Facts = Partial<Omit<Served, "requestId" | "method" | "route" | "status" | "durationMs">>;

/**
 * Facts about one request, as they become known. The stages write them here instead of returning them, because a stage that throws returns nothing: the key, the time in
 * the queue and the usage are reported for failed requests as well.
 */
export type Observed = Pick<Served, "requestId"> & { -readonly [Name in keyof Facts]: Facts[Name] };

type RouteName = "decide" | "models" | "openapi";

export interface Route {
  readonly name: RouteName;
  readonly method: "GET" | "POST";
  /** Whether it is a path of the hosted service, whose clients expect other statuses and headers. */
  readonly vendor: boolean;
  /** Whether it is OpenAI's path for decisions. */
  readonly isOpenAi?: true;
}

/** By path under `basePath`. */
export const ROUTES: ReadonlyMap<string, Route> = new Map([
  ["/decision/v1/model", { name: "decide", method: "POST", vendor: false }],
  ["/v1/systemone", { name: "decide", method: "POST", vendor: true }],
  ["/api/alpha/decisions", { name: "decide", method: "POST", vendor: true }],
  ["/v1/decisions", { name: "decide", method: "POST", vendor: false, isOpenAi: true }],
  ["/decision/v1/models", { name: "models", method: "GET", vendor: false }],
  ["/v1/models", { name: "models", method: "GET", vendor: true }],
  ["/openapi.json", { name: "openapi", method: "GET", vendor: false }],
]);

/** Where `AzureOpenAI` asks, with its `?api-version=`. */
const AZURE = ["/openai/decisions", { name: "decide", method: "POST", vendor: false, isOpenAi: true }] as const;

/** Where the routes begin: a path such as `/ai`, `""` for the root; or wherever a URL ends with one. */
export type Base = string | typeof ANYWHERE;
export const ANYWHERE = Symbol("anywhere");

/** The route of a URL; undefined for any other URL. */
export function routeOf(url: string, basePath: Base): Route | undefined {
  const { pathname } = new URL(url);
  if (basePath === ANYWHERE) {
    // A slash too many, as where a base URL and a path are joined, is no other address: with `passThrough`, the text would leave this process for it.
    const asked = `/${pathname.split("/").filter(Boolean).join("/")}`;
    return [...ROUTES, AZURE].find(([path]) => asked.endsWith(path))?.[1];
  }
  return pathname.startsWith(basePath) ? ROUTES.get(pathname.slice(basePath.length)) : undefined;
}

export interface ArrivalFacts {
  /** Who sends the request, for example their address. Without keys, memory and turns are shared fairly by it. */
  readonly client: string;
  /** The request's body, where the server has a cheaper way to it than `request.arrayBuffer()`. */
  readonly chunks?: BodyChunks | undefined;
}

/** Facts that a server knows of a request besides the request itself. The handler takes it as its second argument; it is a class, because servers pass other things there, too. */
export class Arrival implements ArrivalFacts {
  readonly client: string;
  readonly chunks: BodyChunks | undefined;

  constructor({ client, chunks }: ArrivalFacts) {
    this.client = client;
    this.chunks = chunks;
  }
}
