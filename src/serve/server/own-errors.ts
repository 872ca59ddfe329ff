import { randomUUID } from "node:crypto";
import { DecideError } from "../../errors.ts";
import type { Reply } from "../../http/reply.ts";
import { errorReply } from "../../http/responses.ts";

/** Replies that come from the server itself, not from the handler. */

export function malformedRequest(): Reply {
  return reply(new DecideError("invalid_request", "The request has no Host header, or its URL is not valid.", { status: 400 }));
}

export function unexpectedError(): Reply {
  return reply(
    new DecideError("internal", "Something unexpected failed inside umpire. The server's log has the details; please report it."),
  );
}

function reply(error: DecideError): Reply {
  const requestId = randomUUID();
  return errorReply(error, { "x-request-id": requestId, "request-id": requestId });
}
