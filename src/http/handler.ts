import { asDecideError, DecideError } from "../errors.ts";
import { version } from "../version.ts";
import { answerDecide } from "./answer-decide.ts";
import { answerModels } from "./answer-models.ts";
import { Arrival } from "./arrival.ts";
import { ByteBudget } from "./body/byte-budget.ts";
import type { HandlerContext } from "./context.ts";
import { corsHeaders, preflight } from "./cors.ts";
import { readHandlerOptions } from "./handler-options.ts";
import type { Handler, HandlerOptions } from "./handler-options.ts";
import { Observation } from "./observation.ts";
import { HUNG_UP } from "./observe.ts";
import { openApiDocument } from "./openapi/document.ts";
import { FairQueue } from "./queue/fair-queue.ts";
import { RateLimit } from "./queue/rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import { bytesOfJson, errorResponse, jsonBytesResponse, jsonResponse } from "./responses.ts";
import { routeOf } from "./routes.ts";
import type { Route } from "./routes.ts";

/**
 * The hosted API as a function of web-standard requests: mount it in any server, or pass it to an official client as its `fetch`.
 * @throws {DecideError} `invalid_request` naming every invalid option.
 */
export function createHandler(options: HandlerOptions): Handler {
  const settings = readHandlerOptions(options);
  const { limits, keys, credits } = settings;
  const now = (): number => performance.now();
  const queue = new FairQueue(limits, now);
  const context: HandlerContext = {
    ...settings,
    now,
    queue,
    rateLimit: new RateLimit(),
    bodyBudget: new ByteBudget(limits.waitingBytes),
    openApi: bytesOfJson(openApiDocument({ ...settings, version, authentication: keys !== undefined, credits: credits !== undefined })),
  };
  const handle = async (input: Request | URL | string, init?: RequestInit | Arrival): Promise<Response> => {
    const arrival = init instanceof Arrival ? init : undefined;
    // Not `instanceof Request`: some servers have a Request class of their own. They also pass other things as the second argument.
    if (typeof input === "object" && "method" in input) return answer(context, input, arrival);
    return answerAsFetch(context, new Request(input, init as RequestInit));
  };
  return Object.defineProperty(handle, "load", { get: () => queue.load }) as Handler;
}

/** Like `fetch`, rejects if the caller aborts. */
async function answerAsFetch(context: HandlerContext, request: Request): Promise<Response> {
  const response = await answer(context, request);
  request.signal.throwIfAborted();
  return response;
}

/** Answers one request, errors included, and reports it to `onServed`. */
async function answer(context: HandlerContext, request: Request, arrival?: Arrival): Promise<Response> {
  const startMs = context.now();
  const route = routeOf(request.url, context.basePath);
  const observed = new Observation(requestIdOf(request));
  const headers = headersOf(observed.requestId, route, corsHeaders(request, context.corsOrigins));
  let response: Response;
  try {
    response = preflight(request, context.corsOrigins, headers) ?? (await answerRoute(context, request, route, observed, headers, arrival));
  } catch (thrown) {
    const error = withoutPaths(asDecideError(thrown));
    if (!hasHungUp(request)) observed.note({ code: error.code, cause: error.cause });
    response = errorResponse(error, headers);
  }
  context.onServed?.({
    method: request.method,
    route: route?.name ?? "none",
    status: hasHungUp(request) ? HUNG_UP : response.status,
    durationMs: context.now() - startMs,
    ...observed.known,
  });
  return response;
}

async function answerRoute(
  context: HandlerContext,
  request: Request,
  route: Route | undefined,
  observed: Observation,
  headers: Headers,
  arrival?: Arrival,
): Promise<Response> {
  if (route === undefined) {
    throw new DecideError("invalid_request", `There is nothing at this path. Decisions are at ${context.basePath}/decision/v1/model.`, {
      status: 404,
    });
  }
  if (request.method !== route.method && !(request.method === "HEAD" && route.method === "GET")) {
    headers.set("allow", route.method === "GET" ? "GET, HEAD" : route.method);
    throw new DecideError("invalid_request", `This path only answers ${route.method}.`, { status: 405 });
  }
  switch (route.name) {
    case "openapi":
      return jsonBytesResponse(context.openApi, headers);
    case "models":
      return jsonResponse(200, await answerModels(request, context, observed), headers);
    case "decide":
      return jsonResponse(200, await answerDecide(request, context, observed, route, arrival), headers);
  }
}

function headersOf(requestId: string, route: Route | undefined, cors: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(cors);
  headers.set("x-request-id", requestId);
  headers.set("request-id", requestId);
  if (route?.vendor) headers.set("x-typesafe-request-id", requestId);
  return headers;
}

/** `model_invalid` says where the model's files are and which one is damaged. That is for the operator's log, not for clients. */
function withoutPaths(error: DecideError): DecideError {
  if (error.code !== "model_invalid") return error;
  const message = "The model of this service is damaged or does not fit it. Tell the operator of the service: its log says more.";
  return new DecideError("model_invalid", message, { cause: error });
}

function hasHungUp(request: Request): boolean {
  return request.signal.aborted;
}
