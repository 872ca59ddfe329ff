/**
 * What is sent back, in plain parts. A server of our own writes them as they are: to make a web-standard `Response` and to read it again takes longer than
 * everything else that a short request needs.
 */
export interface Reply {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: ReplyHeaders;
  /** Bytes where they were made beforehand. Null for a reply that must not have a body, such as 204. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Headers by lower-case name, added to while the reply is made. */
export interface ReplyHeaders {
  [name: string]: string;
}

export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers });
}
