import { asDecideError, DecideError } from "../errors.ts";
import { version } from "../version.ts";
import { answerDecide } from "./answer-decide.ts";
import { answerModels } from "./answer-models.ts";
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
import { ReadingQueue } from "./queue/reading-queue.ts";
import { requestIdOf } from "./request-id.ts";
import { errorResponse, jsonResponse } from "./responses.ts";
import { routeOf } from "./routes.ts";
import type { Route } from "./routes.ts";

/**
 * The hosted API as a function of web-standard requests: mount it in any server, or pass it to an official client as its `fetch`.
 * @throws {DecideError} `invalid_request` naming every invalid option.
 */
export function createHandler(options: HandlerOptions): Handler {
  const settings = readHandlerOptions(options);
  const { decider, limits, keys, credits } = settings;
  const now = (): number => performance.now();
  const queue = new FairQueue(limits, now, decider.pause?.bind(decider));
  const reading = new ReadingQueue(now, (key, ms) => {
    queue.charge(key, ms);
  });
  const context: HandlerContext = {
    ...settings,
    now,
    queue,
    reading,
    rateLimit: new RateLimit(),
    bodyBudget: new ByteBudget(limits.waitingBytes),
    openApi: openApiDocument({ ...settings, version, authentication: keys !== undefined, credits: credits !== undefined }),
  };
  const handle = async (input: Request | URL | string, init?: RequestInit): Promise<Response> =>
    // Not `instanceof Request`: some servers have a Request class of their own. They also pass other things as the second argument.
    typeof input === "object" && "method" in input ? answer(context, input) : answerAsFetch(context, new Request(input, init));
  return Object.defineProperty(handle, "load", { get: () => queue.load }) as Handler;
}

/** Like `fetch`, rejects if the caller aborts. */
async function answerAsFetch(context: HandlerContext, request: Request): Promise<Response> {
  const response = await answer(context, request);
  request.signal.throwIfAborted();
  return response;
}

/** Answers one request, errors included, and reports it to `onServed`. */
async function answer(context: HandlerContext, request: Request): Promise<Response> {
  const startMs = context.now();
  const route = routeOf(request.url, context.basePath);
  const observed = new Observation(requestIdOf(request));
  const headers = headersOf(observed.requestId, route, corsHeaders(request, context.corsOrigins));
  let response: Response;
  try {
    response = preflight(request, context.corsOrigins, headers) ?? (await answerRoute(context, request, route, observed, headers));
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
      return jsonResponse(200, context.openApi, headers);
    case "models":
      return jsonResponse(200, await answerModels(request, context, observed), headers);
    case "decide":
      return jsonResponse(200, await answerDecide(request, context, observed, route), headers);
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
