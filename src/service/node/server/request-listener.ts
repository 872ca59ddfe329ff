import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Arrival } from "../../handler/arrival.ts";
import { toResponse } from "../../handler/reply.ts";
import type { Reply } from "../../handler/reply.ts";
import { clientOf } from "./client-address.ts";
import type { ConnectionError } from "./connection-errors.ts";
import type { Exchange } from "./connections.ts";
import { incomingChunks } from "./incoming-chunks.ts";
import { MAX_HEADERS } from "./node-server.ts";
import { malformedRequest, unknownCoding, wrongHost } from "./own-errors.ts";
import { sendReply } from "./send-reply.ts";

export interface ListenerOptions {
  /** Must not reject. */
  readonly answer: (request: Request, arrival: Arrival) => Promise<Reply>;
  /** Whether the server answers to the host of this URL. */
  readonly isOwnHost: (url: string) => boolean;
  /** Time allowed for sending a reply; a client that takes longer loses its connection. */
  readonly replyMs: number;
  readonly onError: (error: ConnectionError) => void;
  /** Closes a connection, with a reply where possible. */
  readonly close: (error: ConnectionError, socket: Socket) => void;
}

/** Turns Node's requests into web-standard ones, and sends the replies. */
export function requestListener({ answer, isOwnHost, replyMs, onError, close }: ListenerOptions): (exchange: Exchange) => void {
  const send = (reply: Reply, outgoing: ServerResponse): void => {
    sendReply(reply, outgoing, replyMs, () => {
      onError("slow_reader");
      outgoing.destroy();
    });
  };
  const respond = async (request: Request, incoming: IncomingMessage): Promise<Reply> => {
    if (!isOwnHost(request.url)) {
      onError("wrong_host");
      return wrongHost();
    }
    const chunks = incomingChunks(incoming, () => {
      close("tiny_chunks", incoming.socket);
    });
    return answer(request, new Arrival({ client: clientOf(incoming.socket), chunks }));
  };
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      // The casts leave out HTTP/2, which this server does not speak.
      send(await respond(request, incoming as IncomingMessage), outgoing as ServerResponse);
      return RESPONSE_ALREADY_SENT;
    },
    {
      // For HTTP/1.0 clients, which need not send a Host header.
      hostname: "localhost",
      overrideGlobalObjects: false,
      errorHandler: () => {
        onError("malformed");
        return toResponse(malformedRequest());
      },
    },
  );
  return ({ incoming, outgoing }) => {
    if (incoming.rawHeaders.length > 2 * MAX_HEADERS) {
      close("headers_too_long", incoming.socket);
      return;
    }
    const refusal = refusalOf(incoming);
    if (refusal === undefined) return void listener(incoming, outgoing);
    onError("malformed");
    // A proxy in front may have read such a request in another way, and then what follows it, too.
    outgoing.setHeader("connection", "close");
    send(refusal, outgoing);
  };
}

/** The reply to a request that Node accepts, but that no client sends which means well. */
function refusalOf({ headers, httpVersion, rawHeaders }: IncomingMessage): Reply | undefined {
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return unknownCoding();
  if (headers.host === undefined) return httpVersion === "1.1" ? malformedRequest() : undefined;
  return hasTwoHosts(rawHeaders) ? malformedRequest() : undefined;
}

/** In `headers`, Node keeps the first one only. @param rawHeaders names and values in turn */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1;
}
