import { randomUUID } from "node:crypto";
import { DecideError } from "../../../errors.ts";
import type { Reply } from "../../handler/reply.ts";
import { idHeaders } from "../../handler/request-id.ts";
import { errorReply } from "../../handler/responses.ts";

/** Replies that come from the server itself, not from the handler. */

export function malformedRequest(): Reply {
  const message = "The request has no Host header or more than one, or its URL is not valid.";
  return reply(new DecideError("invalid_request", message, { status: 400 }));
}

export function unknownCoding(): Reply {
  const message = "The request's Transfer-Encoding is not supported. Use chunked alone, and Content-Encoding for compressed bodies.";
  return reply(new DecideError("invalid_request", message, { status: 400 }));
}

export function wrongHost(): Reply {
  const message =
    "This server does not answer to this name. Without keys it answers to localhost, to IP addresses, and to the names in its option hostNames (--host-name).";
  return reply(new DecideError("invalid_request", message, { status: 421 }));
}

export function unexpectedError(): Reply {
  return reply(
    new DecideError("internal", "Something unexpected failed inside umpire. The server's log has the details; please report it."),
  );
}

function reply(error: DecideError): Reply {
  return errorReply(error, { ...idHeaders(randomUUID()) });
}
