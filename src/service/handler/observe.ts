import type { DecideErrorCode } from "../../errors.ts";
import type { Usage } from "../../library/decide/types.ts";
import type { RouteName } from "./routes.ts";

/** The status reported for a client that disconnected before the reply: nginx uses this number. */
export const HUNG_UP = 499;

/** How many answers a response has. */
export interface AnswerCounts {
  /** By a lesson. */
  readonly taught: number;
  readonly untaught: number;
}

/** What can be logged and counted about one request: never the caller's text, never a key's secret. */
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
}

export type OnServed = (served: Served) => void;
