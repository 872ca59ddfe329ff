import type { ParsedRequest } from "../../library/decide/request.ts";
import { MODEL_ALIASES } from "../../library/decider/catalogue.ts";
import type { Decider } from "../../library/decider/decider.ts";
import { DecideError } from "../../errors.ts";
import type { Observed } from "../handler/observation.ts";
import { isExpired, type ApiKey, type Keys } from "./keys.ts";

/**
 * The key that a request was sent with; undefined for a service without keys.
 * @throws {DecideError} `unauthorized` for a key that is missing, unknown or expired.
 */
export async function authenticate(request: Request, keys: Keys | undefined, observed: Observed): Promise<ApiKey | undefined> {
  if (keys === undefined) return undefined;
  const header = request.headers.get("authorization");
  if (header === null) throw unauthorized("The request has no key.");
  const secret = bearerTokenOf(header);
  if (secret === undefined) throw unauthorized("The authorization header is not a bearer token.");
  const key = await keys.find(secret);
  if (key === undefined) throw unauthorized("The key is unknown or has been revoked.");
  // Before the check below: a log names the expired key.
  observed.key = key.name;
  if (isExpired(key, Date.now())) throw unauthorized(`The key expired at ${key.expiresAt}.`);
  return key;
}

/** The token of an `Authorization` header; undefined if it holds none. */
export function bearerTokenOf(header: string): string | undefined {
  return /^Bearer +(\S+) *$/iu.exec(header)?.[1];
}

function unauthorized(why: string): DecideError {
  return new DecideError("unauthorized", `${why} Send the header "Authorization: Bearer <key>" with a key of this service.`);
}

/** @throws {DecideError} `model_not_found` if the key may not use the model: for its holder, that model does not exist. */
export async function checkModelAccess(request: ParsedRequest, key: ApiKey | undefined, decider: Pick<Decider, "models">): Promise<void> {
  if (key?.models === undefined) return;
  const { model = "latest" } = request;
  const id = await modelIdOf(request, decider);
  if (id !== undefined && key.models.includes(id)) return;
  throw new DecideError(
    "model_not_found",
    `This key cannot use that model (a name of ${model.length} characters). It can use: ${key.models.join(", ")}.`,
  );
}

/** The id of the model that a request asks for; undefined if it asks for the service's own, and there is none. */
export async function modelIdOf({ model = "latest" }: ParsedRequest, decider: Pick<Decider, "models">): Promise<string | undefined> {
  const models = await decider.models();
  if (MODEL_ALIASES.includes(model)) return models.find(({ isDefault }) => isDefault)?.id;
  return models.find(({ aliases }) => aliases?.includes(model))?.id ?? model;
}
