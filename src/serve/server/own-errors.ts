import { randomUUID } from "node:crypto";
import { DecideError } from "../../errors.ts";
import { errorResponse } from "../../http/responses.ts";

/** Replies of the server itself, where there is no request that the handler could answer. */

export function malformedRequest(): Response {
  return reply(new DecideError("invalid_request", "The request has no Host header, or a path that is none.", { status: 400 }));
}

export function unexpectedError(): Response {
  return reply(
    new DecideError("internal", "Something failed inside umpire that should not. The server's log says what; please report it."),
  );
}

function reply(error: DecideError): Response {
  const requestId = randomUUID();
  return errorResponse(error, new Headers({ "x-request-id": requestId, "request-id": requestId }));
}
