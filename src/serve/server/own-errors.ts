import { randomUUID } from "node:crypto";
import { DecideError } from "../../errors.ts";
import { errorResponse } from "../../http/responses.ts";

/** Replies that come from the server itself, not from the handler. */

export function malformedRequest(): Response {
  return reply(new DecideError("invalid_request", "The request has no Host header, or its URL is not valid.", { status: 400 }));
}

export function unexpectedError(): Response {
  return reply(
    new DecideError("internal", "Something unexpected failed inside umpire. The server's log has the details; please report it."),
  );
}

function reply(error: DecideError): Response {
  const requestId = randomUUID();
  return errorResponse(error, new Headers({ "x-request-id": requestId, "request-id": requestId }));
}
