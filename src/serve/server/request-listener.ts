import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { toResponse } from "../../http/reply.ts";
import type { Reply } from "../../http/reply.ts";
import type { ConnectionError } from "./connection-errors.ts";
import { malformedRequest } from "./own-errors.ts";
import { sendReply } from "./send-reply.ts";

export interface ListenerOptions {
  /** Must not reject. */
  readonly answer: (request: Request) => Promise<Reply>;
  /** Time allowed for sending a reply; a client that takes longer loses its connection. */
  readonly replyMs: number;
  readonly onError: (error: ConnectionError) => void;
}

export type RequestListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Turns Node's requests into web-standard ones, and sends the replies. */
export function requestListener({ answer, replyMs, onError }: ListenerOptions): RequestListener {
  const send = (reply: Reply, outgoing: ServerResponse): void => {
    sendReply(reply, outgoing, replyMs, () => {
      onError("slow_reader");
      outgoing.destroy();
    });
  };
  const listener = getRequestListener(
    async (request, { outgoing }) => {
      // The cast leaves out HTTP/2, which this server does not speak.
      send(await answer(request), outgoing as ServerResponse);
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
  return (incoming, outgoing) => {
    if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") {
      onError("malformed");
      send(malformedRequest(), outgoing);
    } else void listener(incoming, outgoing);
  };
}
