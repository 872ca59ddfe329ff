import { createAnswerer } from "./answerer.ts";
import { Arrival } from "./arrival.ts";
import type { Handler, HandlerOptions } from "./handler-options.ts";
import { toResponse } from "./reply.ts";

/**
 * The hosted API as a function of web-standard requests: mount it in any server, or pass it to an official client as its `fetch`.
 * @throws {DecideError} `invalid_request` naming every invalid option.
 */
export function createHandler(options: HandlerOptions): Handler {
  const answerer = createAnswerer(options);
  const handle = async (input: Request | URL | string, init?: RequestInit | Arrival): Promise<Response> => {
    const arrival = init instanceof Arrival ? init : undefined;
    // Not `instanceof Request`: some servers have a Request class of their own. They also pass other things as the second argument.
    if (typeof input === "object" && "method" in input) return toResponse(await answerer.answer(input, arrival));
    const request = new Request(input, init as RequestInit);
    const reply = await answerer.answer(request);
    // Like `fetch`, rejects if the caller aborts.
    request.signal.throwIfAborted();
    return toResponse(reply);
  };
  return Object.defineProperty(handle, "load", { get: () => answerer.load }) as Handler;
}
