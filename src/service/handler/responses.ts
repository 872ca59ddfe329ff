import { asDecideError, type DecideError, type DecideErrorCode, type Issue } from "../../errors.ts";

/**
 * A reply in plain parts. A server of our own writes them as they are: to make a web-standard `Response` and to read it again takes longer than
 * everything else that a short request needs.
 */
export interface Reply {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: ReplyHeaders;
  /** Null for a reply that must not have a body, such as 204. */
  readonly body: string | null;
}

/** Headers by lower-case name, added to while the reply is made. */
export interface ReplyHeaders {
  [name: string]: string;
}

export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers });
}

/** Categories of errors, coarser than codes, which clients of hosted APIs know. */
export const ERROR_TYPES: { readonly [Code in DecideErrorCode]: string } = {
  invalid_request: "invalid_request_error",
  input_too_long: "invalid_request_error",
  unauthorized: "authentication_error",
  insufficient_credits: "billing_error",
  model_not_found: "not_found_error",
  model_invalid: "api_error",
  backend_unavailable: "api_error",
  backend_failed: "api_error",
  worker_lost: "api_error",
  overloaded: "overloaded_error",
  closed: "api_error",
  internal: "api_error",
};

/** The hosted API's words for an error's status, for `detail.error_type`. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "authentication_error",
  404: "not_found",
  429: "rate_limit_error",
  529: "overloaded_error",
};
const [OTHER_4XX, OTHER_5XX] = ["api_usage_error", "internal_error"];

/** All values of `detail.error_type`. */
export const STATUS_TYPES: readonly string[] = [...new Set([...Object.values(STATUS_WORDS), OTHER_4XX, OTHER_5XX])];

/** An error in the shape that all official clients can read: `detail` is the list of issues for a 422, otherwise the error once more. */
export function errorBody(error: DecideError): object {
  const { code, message, status, issues = [], issuesLeftOut = 0 } = error;
  const listed = listedIssues(issues);
  const leftOut = issues.length - listed.length + issuesLeftOut;
  const inDetail = status === 422 && listed.length > 0;
  return {
    error: {
      message,
      type: ERROR_TYPES[code],
      code,
      // For example `questions.route.criteria`; null for the whole body.
      param: issues[0] === undefined ? null : issues[0].loc.slice(1).join(".") || null,
      // If `detail` is not the list of issues, they go into a field that the hosted API does not have.
      ...(listed.length > 0 && !inDetail && { x_issues: listed }),
      ...(leftOut > 0 && { x_issues_left_out: leftOut }),
    },
    detail: inDetail ? listed : { error_type: STATUS_WORDS[status] ?? (status < 500 ? OTHER_4XX : OTHER_5XX), message },
  };
}

export function jsonReply(status: number, value: unknown, headers: ReplyHeaders): Reply {
  return textReply(status, JSON.stringify(value), headers);
}

/** @param body of the type `application/json`, unless the headers state another */
export function textReply(status: number, body: string, headers: ReplyHeaders): Reply {
  headers["content-type"] ??= "application/json";
  return { status, headers, body };
}

/** The reply for an error, with `Retry-After` if the same request may succeed later. */
export function errorReply(thrown: unknown, headers: ReplyHeaders): Reply {
  const error = asDecideError(thrown);
  const { code, retryAfterSeconds = code === "overloaded" ? 1 : undefined } = error;
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (error.status === 401) headers["www-authenticate"] = "Bearer";
  return jsonReply(error.status, errorBody(error), headers);
}

/** Approximate size of all listed places and messages. The first issue is listed whatever its size. */
const MAX_CHARACTERS = 65_536;

/** The first issues, as many as a reply has room for. An error has few of them, but each repeats its question's id and its option's key, which may be long. */
export function listedIssues(issues: readonly Issue[]): readonly Issue[] {
  let characters = 0;
  const end = issues.findIndex(({ loc, msg }, i) => {
    characters += msg.length + loc.reduce<number>((sum, part) => sum + String(part).length, 0);
    return i > 0 && characters > MAX_CHARACTERS;
  });
  return end === -1 ? issues : issues.slice(0, end);
}

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,128}$/u;

/** The caller's `x-request-id` if it is 1 to 128 printable ASCII characters, else a new UUID. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && PRINTABLE_ASCII.test(given) ? given : crypto.randomUUID();
}

export function idHeaders(requestId: string): { readonly "x-request-id": string; readonly "request-id": string } {
  return { "x-request-id": requestId, "request-id": requestId };
}
