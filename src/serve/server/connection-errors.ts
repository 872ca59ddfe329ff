import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { DecideError } from "../../errors.ts";
import { errorBody } from "../../http/responses.ts";
import type { Connections } from "./connections.ts";

/** Why a connection was closed before there was a request to answer, or instead of its answer. */
export type ConnectionError = "malformed" | "headers_too_long" | "timeout" | "slow_reader" | "tls" | "hung_up" | "too_many";

const REPLIES = {
  malformed: { status: 400, message: "The request is no HTTP/1.1 that this server can read." },
  headers_too_long: { status: 431, message: "The request's headers are longer than this server takes. Send fewer or shorter ones." },
  timeout: { status: 408, message: "The request did not arrive in time. Send it again, on a faster connection." },
} as const;

/** Answers what never became a request, or did not arrive whole, with the same JSON as other errors, and closes the connection. */
export function answerConnectionErrors(server: Server, connections: Connections, onError: (error: ConnectionError) => void): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const kind = kindOf(error);
    onError(kind);
    const answerable = kind in REPLIES && socket.writable && mayAnswer(connections, socket);
    if (answerable) socket.end(rawReply(kind as keyof typeof REPLIES), () => socket.destroy());
    else socket.destroy();
  });
  server.on("drop", () => {
    onError("too_many");
  });
  // Proxies ask for tunnels; there are none here.
  server.on("connect", (_request, socket) => {
    onError("malformed");
    // Node has let go of it: nobody else hears of its end, and an error that nobody hears ends the process.
    socket.on("error", () => socket.destroy());
    socket.end(rawReply("malformed"), () => socket.destroy());
  });
}

function kindOf({ code = "" }: NodeJS.ErrnoException): ConnectionError {
  if (code === "HPE_HEADER_OVERFLOW") return "headers_too_long";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "timeout";
  if (code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE") return "malformed";
  return code.includes("SSL") || code.includes("TLS") ? "tls" : "hung_up";
}

/** Where an earlier request's reply is under way, another one would be taken for it. */
function mayAnswer(connections: Connections, socket: Duplex): boolean {
  return connections.on(socket).every(({ incoming, outgoing }) => !incoming.complete && !outgoing.headersSent);
}

function rawReply(kind: keyof typeof REPLIES): string {
  const { status, message } = REPLIES[kind];
  const body = JSON.stringify(errorBody(new DecideError("invalid_request", message, { status })));
  const requestId = randomUUID();
  const headers = {
    connection: "close",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    "request-id": requestId,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
