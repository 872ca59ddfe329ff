import type { ServerResponse } from "node:http";

/** Writes a web-standard response. `onSlow` is called when the client has not taken it all after `replyMs`. */
export async function sendReply(response: Response, outgoing: ServerResponse, replyMs: number, onSlow: () => void): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (outgoing.destroyed) return;
  const headers = Object.fromEntries(response.headers);
  // Known in advance, so that the reply is not sent in chunks; a 304 or 204 has no length to tell.
  const hasBody = response.body !== null;
  outgoing.writeHead(response.status, hasBody ? { ...headers, "content-length": body.byteLength } : headers);
  outgoing.end(body);
  if (outgoing.writableFinished) return;
  const timer = setTimeout(onSlow, replyMs);
  outgoing.once("close", () => {
    clearTimeout(timer);
  });
}
