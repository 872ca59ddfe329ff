import { DecideError } from "../../errors.ts";
import type { Observation } from "../handler/observation.ts";
import { isExpired } from "./keys.ts";
import type { ApiKey, Keys } from "./keys.ts";

/**
 * The key that a request was sent with; undefined for a service without keys.
 * @throws {DecideError} `unauthorized` for a key that is missing, unknown or expired.
 */
export async function authenticate(request: Request, keys: Keys | undefined, observed: Observation): Promise<ApiKey | undefined> {
  if (keys === undefined) return undefined;
  const key = await keys.find(secretOf(request));
  if (key === undefined) throw unauthorized("The key is unknown or has been revoked.");
  // Before the check below: a log names the expired key.
  observed.note({ key: key.name });
  if (isExpired(key, Date.now())) throw unauthorized(`The key expired at ${key.expiresAt}.`);
  return key;
}

/** The token of an `Authorization` header; undefined if it holds none. */
export function bearerTokenOf(header: string): string | undefined {
  return /^Bearer +(\S+) *$/iu.exec(header)?.[1];
}

function secretOf({ headers }: Request): string {
  const header = headers.get("authorization");
  if (header === null) throw unauthorized("The request has no key.");
  const secret = bearerTokenOf(header);
  if (secret === undefined) throw unauthorized("The authorization header is not a bearer token.");
  return secret;
}

function unauthorized(why: string): DecideError {
  return new DecideError("unauthorized", `${why} Send the header "Authorization: Bearer <key>" with a key of this service.`);
}
