import { DecideError } from "../../errors.ts";
import type { Observation } from "../observation.ts";
import { isExpired } from "./keys.ts";
import type { ApiKey } from "./keys.ts";
import type { HandlerContext } from "../context.ts";

/**
 * Who asks; undefined where everybody may.
 * @throws {DecideError} `unauthorized`.
 */
export async function authenticate(request: Request, { keys }: HandlerContext, observation: Observation): Promise<ApiKey | undefined> {
  if (keys === undefined) return undefined;
  const header = request.headers.get("authorization");
  if (header === null) throw unauthorized("The request has no key.");
  const [, secret] = /^Bearer +(\S+) *$/iu.exec(header) ?? [];
  if (secret === undefined) throw unauthorized("The authorization header is no bearer token.");
  const key = await keys.find(secret);
  if (key === undefined) throw unauthorized("The key is not known here, or was revoked.");
  observation.key = key.name;
  if (isExpired(key, Date.now())) throw unauthorized(`The key has expired at ${key.expiresAt}.`);
  return key;
}

function unauthorized(why: string): DecideError {
  return new DecideError("unauthorized", `${why} Send the header "Authorization: Bearer <key>" with a key of this service.`);
}
