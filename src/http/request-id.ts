const PRINTABLE_ASCII = /^[\x20-\x7e]{1,128}$/u;

/** The caller's `x-request-id` if it is 1 to 128 printable ASCII characters, else a new UUID. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && PRINTABLE_ASCII.test(given) ? given : crypto.randomUUID();
}
