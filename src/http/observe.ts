import type { DecideErrorCode } from "../errors.ts";
import type { Usage } from "../decide/types.ts";
import type { RouteName } from "./routes.ts";

/** The status that is observed of a client that hung up, and got no reply: nginx's number for it. */
export const HUNG_UP = 499;

/** What there is to log and count about one answered request: never a text of the caller's, never a key's secret. */
export interface Served {
  readonly requestId: string;
  readonly method: string;
  /** Which of the service's pages: `decide`, `models`, `openapi`, or `none` for a path that is none. */
  readonly route: RouteName | "none";
  /** HTTP status; 499 when the client hung up before the reply. */
  readonly status: number;
  /** Absent for a success and for a client that hung up. */
  readonly code?: DecideErrorCode;
  /** What failed underneath, for the log only. */
  readonly cause?: unknown;
  /** Name of the key, once it is known. */
  readonly key?: string;
  /** Id of the model that answered. */
  readonly model?: string;
  readonly usage?: Usage;
  /** Taken for this request; absent where nothing is charged. */
  readonly nanocredits?: number;
  /** From the arrival of the request's head to the reply. */
  readonly durationMs: number;
  /** Of those, how long it waited for its turn. */
  readonly queuedMs?: number;
}

export type OnServed = (served: Served) => void;
