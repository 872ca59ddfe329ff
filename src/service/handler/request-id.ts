const PRINTABLE_ASCII = /^[\x20-\x7e]{1,128}$/u;

/** The caller's `x-request-id` if it is 1 to 128 printable ASCII characters, else a new UUID. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && PRINTABLE_ASCII.test(given) ? given : crypto.randomUUID();
}

/** The headers that name a request in its reply. */
export function idHeaders(requestId: string): { readonly "x-request-id": string; readonly "request-id": string } {
  return { "x-request-id": requestId, "request-id": requestId };
}
