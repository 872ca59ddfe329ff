import type { ServerResponse } from "node:http";
import type { Reply } from "../../handler/reply.ts";

/** Writes a reply. Calls `onSlow` if the client has not read all of it after `replyMs`. */
export function sendReply({ status, headers, body }: Reply, outgoing: ServerResponse, replyMs: number, onSlow: () => void): void {
  if (outgoing.destroyed) return;
  // A known length keeps Node from sending chunks. As a text, the body leaves together with the headers, in one piece.
  outgoing.writeHead(status, body === null ? headers : { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body ?? undefined);
  if (outgoing.writableFinished) return;
  const timer = setTimeout(onSlow, replyMs);
  outgoing.once("close", () => {
    clearTimeout(timer);
  });
}
