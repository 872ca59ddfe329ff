/** Every way a call can fail, with its HTTP status. */
const STATUS = {
  invalid_request: 422,
  input_too_long: 413,
  unauthorized: 401,
  insufficient_credits: 402,
  model_not_found: 404,
  model_invalid: 500,
  backend_unavailable: 503,
  backend_failed: 500,
  worker_lost: 503,
  overloaded: 429,
  closed: 503,
  internal: 500,
} as const;

export type DecideErrorCode = keyof typeof STATUS;

/** After these, the same call may succeed if it is repeated. */
const RETRYABLE: readonly DecideErrorCode[] = ["worker_lost", "overloaded"];

/** A path from the request body to the value at fault, for example `["body", "questions", "route", "criteria"]`. */
export type Location = readonly (string | number)[];

export type IssueType =
  | "missing"
  | "wrong_type"
  | "too_few"
  | "too_many"
  | "empty"
  | "unknown_value"
  | "unknown_field"
  | "not_json"
  | "too_deep"
  | "cyclic"
  | "too_long";

/** One problem in a request. `msg` describes the value by its type and length, never by its text. */
export interface Issue {
  readonly loc: Location;
  readonly msg: string;
  readonly type: IssueType;
}

/** An error lists no more issues: nobody reads them, and every copy of it, in a thread, a log or a reply, would carry them all. */
export const MAX_ISSUES = 100;

export interface DecideErrorOptions {
  /** Only the first 100 are kept; the others are counted. */
  readonly issues?: readonly Issue[] | undefined;
  /** Further issues that are not in the list. */
  readonly issuesLeftOut?: number | undefined;
  /** The underlying error. Its text never becomes part of `message`. */
  readonly cause?: unknown;
  /** Replaces the code's usual status: 400 for a body that is not JSON, 529 on the vendor's path. */
  readonly status?: number | undefined;
  /** Replaces the code's usual answer to whether repeating the same call may succeed. */
  readonly retryable?: boolean | undefined;
  /** Seconds after which the same call may succeed: `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
}

const MARK = Symbol.for("umpire.DecideError");

/** The only error class that umpire throws, apart from an aborted call's `signal.reason`. */
export class DecideError extends Error {
  override readonly name = "DecideError";
  readonly code: DecideErrorCode;
  /** The HTTP status for this error. */
  readonly status: number;
  /** True when repeating the same call may succeed. */
  readonly retryable: boolean;
  /** For `invalid_request` and `input_too_long`: every problem, with its place in the request; of many the first 100. */
  readonly issues?: readonly Issue[];
  /** How many further problems were found; absent if `issues` lists all. */
  readonly issuesLeftOut?: number;
  /** For `overloaded` over HTTP: seconds after which the same call may succeed; 1 or more. */
  readonly retryAfterSeconds?: number;

  constructor(code: DecideErrorCode, message: string, options: DecideErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? STATUS[code];
    this.retryable = options.retryable ?? RETRYABLE.includes(code);
    const { issues, issuesLeftOut = 0 } = options;
    if (issues !== undefined) {
      this.issues = issues.slice(0, MAX_ISSUES);
      const leftOut = issues.length - this.issues.length + issuesLeftOut;
      if (leftOut > 0) this.issuesLeftOut = leftOut;
    }
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
    Object.defineProperty(this, MARK, { value: true });
  }

  /** So `instanceof`, too, knows the errors of any copy: what is loaded on demand has one of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this.isInstance(value);
  }

  /** True for a DecideError from any copy of this package. */
  static isInstance(value: unknown): value is DecideError {
    return typeof value === "object" && value !== null && MARK in value;
  }
}

/** A DecideError as plain data, to cross between threads. The cause crosses as text. */
export interface PlainError {
  readonly code: DecideErrorCode;
  readonly message: string;
  readonly status: number;
  readonly issues: readonly Issue[] | undefined;
  readonly issuesLeftOut: number | undefined;
  readonly cause: string | undefined;
}

export function toPlainError(error: unknown): PlainError {
  const { code, message, status, issues, issuesLeftOut, cause } = asDecideError(error);
  return { code, message, status, issues, issuesLeftOut, cause: cause === undefined ? undefined : textOfCause(cause) };
}

export function fromPlainError(plain: PlainError): DecideError {
  const cause = plain.cause === undefined ? undefined : new Error(plain.cause);
  return new DecideError(plain.code, plain.message, { ...plain, cause });
}

/** A DecideError unchanged; anything else as `internal`, with the original error as its cause. */
export function asDecideError(error: unknown): DecideError {
  if (DecideError.isInstance(error)) return error;
  const message = "Something failed inside umpire that should never fail. The error's cause says what: please report it.";
  return new DecideError("internal", message, { cause: error });
}

export function textOfCause(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
