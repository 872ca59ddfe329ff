/** The entry `umpire/fetch`: decisions in this process, for clients that take a `fetch`. */
import { createDecider } from "umpire";
import type { Decider } from "../library/decider/decider.ts";
import { A_DECIDER, A_FUNCTION, Field, refuseUnknown, throwIfOptionsInvalid } from "../library/validation/field.ts";
import { createAnswerer } from "./handler/handler.ts";
import { ANYWHERE, routeOf } from "./handler/observation.ts";
import { toResponse } from "./handler/responses.ts";

export interface FetchOptions {
  /** Answers the requests; it stays yours to close. Default: a decider of its own, made when it is first needed, for which `gpt-6-luna` is another name of `latest`. */
  readonly decider?: Decider | undefined;
  /** Gets every other request. Default: none, they are answered with status 404. Example: `globalThis.fetch`. */
  readonly passThrough?: ((input: Request | URL | string, init?: RequestInit) => Promise<Response>) | undefined;
}

/** What a client takes as its `fetch`. */
export interface DecisionFetch {
  /** Resolves with a status of 400 or more where a decision fails, as a server would answer it. Rejects with the reason of the caller's signal. */
  (input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Closes the decider of its own. Later calls are answered with status 503. */
  close(): Promise<void>;
}

/** The model that OpenAI's API hosts. */
const HOSTED = { "gpt-6-luna": "latest" };

/**
 * A `fetch` that answers decisions itself, whatever the address before the path: those of the hosted decision API and of its gateways, and OpenAI's
 * `/v1/decisions`. Keys are ignored, and nothing leaves this process, unless `passThrough` takes it. Example: `new OpenAI({ apiKey: "local", fetch: createFetch() })`.
 * @throws {DecideError} `invalid_request` naming every invalid option.
 */
export function createFetch(options: FetchOptions = {}): DecisionFetch {
  const field = new Field(options, ["options"]);
  if (field.isObject("an object such as { decider }")) {
    refuseUnknown(field, ["decider", "passThrough"] satisfies (keyof FetchOptions)[]);
    field.get("decider").mayKeep(A_DECIDER);
    field.get("passThrough").mayKeep(A_FUNCTION);
  }
  throwIfOptionsInvalid(field.issues);
  const { decider, passThrough } = options;
  // A decider that is not used loads nothing and starts no worker.
  const own = decider === undefined ? createDecider({ aliases: HOSTED }) : undefined;
  // One program of one user: nobody has to be kept from taking another's turn, and a slow machine is no reason to refuse.
  const limits = { deadlineMs: Infinity, runMs: Infinity, inputTokens: Infinity };
  const answerer = createAnswerer({ decider: decider ?? (own as Decider), limits }, undefined, ANYWHERE);
  const answer = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const { url } = typeof input === "object" && "url" in input ? input : new Request(input);
    if (passThrough !== undefined && routeOf(url, ANYWHERE)?.name !== "decide") return passThrough(input, init);
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const reply = await answerer.answer(request);
    request.signal.throwIfAborted();
    return toResponse(reply);
  };
  return Object.assign(answer, { close: async () => own?.close() });
}
