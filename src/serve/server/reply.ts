import type { ServerResponse } from "node:http";

/** Writes a web-standard response. Calls `onSlow` if the client has not read all of it after `replyMs`. */
export async function sendReply(response: Response, outgoing: ServerResponse, replyMs: number, onSlow: () => void): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (outgoing.destroyed) return;
  const headers = Object.fromEntries(response.headers);
  // A known length keeps Node from sending chunks. A response without a body (204, 304) must not have one.
  const hasBody = response.body !== null;
  outgoing.writeHead(response.status, hasBody ? { ...headers, "content-length": body.byteLength } : headers);
  outgoing.end(body);
  if (outgoing.writableFinished) return;
  const timer = setTimeout(onSlow, replyMs);
  outgoing.once("close", () => {
    clearTimeout(timer);
  });
}
