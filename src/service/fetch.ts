/** The entry `umpire/fetch`: decisions in this process, for clients that take a `fetch`. */
import { createDecider } from "umpire";
import { DecideError } from "../errors.ts";
import { abortable } from "../library/async/signals.ts";
import type { Decider } from "../library/decider/decider.ts";
import { A_DECIDER, A_FUNCTION, Field, refuseUnknown, throwIfOptionsInvalid } from "../library/validation/field.ts";
import { createAnswerer } from "./handler/handler.ts";
import { ANYWHERE, routeOf } from "./handler/observation.ts";
import { errorReply, toResponse } from "./handler/responses.ts";

export interface FetchOptions {
  /** Answers the requests; it stays yours to close. Default: a decider of its own, made when it is first needed, for which `gpt-6-luna` is another name of `latest`. */
  readonly decider?: Decider | undefined;
  /** Gets every other request. Default: none, they are answered with status 404. Example: `globalThis.fetch`. */
  readonly passThrough?: ((input: Request | URL | string, init?: RequestInit) => Promise<Response>) | undefined;
}

/** A `fetch` as clients take it. */
export interface DecisionFetch {
  /** Resolves with a status of 400 or more where a decision fails, as a server would answer it. Rejects with the reason of the caller's signal. */
  (input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Waits for the calls under way, and closes the decider of its own. Later calls are answered with status 503. */
  close(): Promise<void>;
}

/** The model that OpenAI's API hosts. */
const HOSTED = { "gpt-6-luna": "latest" };

const NOTHING_THERE = new DecideError(
  "invalid_request",
  "There is nothing at this path. This fetch answers decisions alone: for everything else, give createFetch() a passThrough, such as globalThis.fetch.",
  { status: 404 },
);

/**
 * A `fetch` that answers decisions itself, whatever the address before the path: those of the hosted decision API and of its gateways, and OpenAI's
 * `/v1/decisions` (Azure's `/openai/decisions`, too). Keys are ignored, and nothing leaves this process, unless `passThrough` takes it. Example: `new OpenAI({ apiKey: "local", fetch: createFetch() })`.
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
  const calls = new Set<Promise<unknown>>();
  const answerer = createAnswerer({ decider: decider ?? (own as Decider), limits }, undefined, ANYWHERE);
  const answer = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const url = urlOf(input);
    const route = routeOf(url, ANYWHERE);
    if (passThrough !== undefined && route?.name !== "decide") return passThrough(input, init);
    const request = new Request(typeof input === "object" && "url" in input ? input : url, init);
    request.signal.throwIfAborted();
    const reply = route === undefined ? Promise.resolve(errorReply(NOTHING_THERE, {})) : answerer.answer(request);
    calls.add(reply);
    void reply.finally(() => calls.delete(reply));
    // Whatever it waits for, the rest of a body included: a client's time limit is such a signal.
    return toResponse(await abortable(reply, request.signal));
  };
  const close = async (): Promise<void> => {
    // Calls that were made before are answered, as a decider answers them.
    await Promise.all(calls);
    await own?.close();
  };
  return Object.assign(answer, { close });
}

/** As `fetch` reads it: in a page, a path is one of the page's own site. Elsewhere it has no site, and needs none. */
function urlOf(input: Request | URL | string): string {
  if (typeof input === "object" && "url" in input) return input.url;
  const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
  return new URL(input, document?.baseURI ?? location?.href ?? "http://localhost").href;
}
