import { randomUUID } from "node:crypto";
import { STATUS_CODES, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { DecideError } from "../../../errors.ts";
import { errorReply, idHeaders, type Reply } from "../../handler/responses.ts";
import { stopParsing, type Connections } from "./connections.ts";

const refusal = (status: number, message: string): DecideError => new DecideError("invalid_request", message, { status });

const SLOW = refusal(408, "The request did not arrive in time. Send it again, on a faster connection.");

/** Replies to what is no complete request. */
const REPLIES = {
  malformed: refusal(400, "The request is not valid HTTP/1.1."),
  headers_too_long: refusal(431, "The request's headers are longer or more than this server allows. Send fewer or shorter headers."),
  timeout: SLOW,
  slow_sender: SLOW,
  tiny_chunks: refusal(400, "The request's body comes in too many small chunks. Send it in larger ones, or with a Content-Length."),
} as const;

/** Why a connection was closed before a request arrived, or before its reply was sent. */
export type ConnectionError = keyof typeof REPLIES | "slow_reader" | "wrong_host" | "pipelined" | "tls" | "hung_up" | "too_many";

/** Replies to requests that do not get to the handler. */
const SERVER_ERRORS = {
  malformed: refusal(400, "The request has no Host header or more than one, or its URL is not valid."),
  unknown_coding: refusal(
    400,
    "The request's Transfer-Encoding is not supported. Use chunked alone, and Content-Encoding for compressed bodies.",
  ),
  wrong_host: refusal(
    421,
    "This server does not answer to this name. Without keys it answers to localhost, to IP addresses, and to the names in its option hostNames (--host-name).",
  ),
  unexpected: new DecideError("internal", "Something unexpected failed inside umpire. The server's log has the details; please report it."),
};

export function serverReply(kind: keyof typeof SERVER_ERRORS): Reply {
  return errorReply(SERVER_ERRORS[kind], { ...idHeaders(randomUUID()) });
}

/** Handles what never became a complete request: replies with the usual JSON error where possible, and closes the connection. */
export function answerConnectionErrors(server: Server, connections: Connections, onError: (error: ConnectionError) => void): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const kind = kindOf(error);
    onError(kind);
    closeWith(kind, socket, connections);
  });
  server.on("drop", () => {
    onError("too_many");
  });
  // Clients ask proxies for tunnels. This server is not a proxy.
  server.on("connect", (_request, socket) => {
    onError("malformed");
    // Node no longer listens to this socket, and an error without a listener would end the process.
    socket.on("error", () => socket.destroy());
    closeWith("malformed", socket, connections);
  });
}

/** Closes a connection, with a reply if its client would take it for that of the right request. */
export function closeWith(kind: ConnectionError, socket: Duplex, connections: Connections): void {
  // While the reply to an earlier request is under way, the client would take another one for that reply.
  const isFree = connections.exchangesOn(socket).every(({ incoming, outgoing }) => !incoming.complete && !outgoing.headersSent);
  if (kind in REPLIES && socket.writable && isFree) socket.end(rawReply(kind as keyof typeof REPLIES), () => socket.destroy());
  else socket.destroy();
  stopParsing(socket);
}

export function kindOf({ code = "" }: NodeJS.ErrnoException): ConnectionError {
  if (code === "HPE_HEADER_OVERFLOW") return "headers_too_long";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "timeout";
  if (code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE") return "malformed";
  return code.includes("SSL") || code.includes("TLS") ? "tls" : "hung_up";
}

function rawReply(kind: keyof typeof REPLIES): string {
  const { status, headers, body } = errorReply(REPLIES[kind], { connection: "close", ...idHeaders(randomUUID()) });
  const all = { ...headers, "content-length": Buffer.byteLength(body ?? "") };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
