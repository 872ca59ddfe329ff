import { answerDecide } from "./answer-decide.ts";
import { authenticate } from "./auth/authenticate.ts";
import { ByteBudget } from "./body/byte-budget.ts";
import { corsHeaders, preflight } from "./cors.ts";
import { DecideError, asDecideError } from "../errors.ts";
import type { Observation } from "./observation.ts";
import { FairQueue } from "./queue/fair-queue.ts";
import { readHandlerOptions } from "./handler-options.ts";
import type { Handler, HandlerOptions } from "./handler-options.ts";
import { openApiDocument } from "./openapi/document.ts";
import { listedModels } from "./listed-models.ts";
import { HUNG_UP } from "./observe.ts";
import { RateLimit } from "./queue/rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import { errorResponse, jsonResponse } from "./responses.ts";
import { routeOf } from "./routes.ts";
import type { Route } from "./routes.ts";
import type { HandlerContext } from "./context.ts";
import { version } from "../version.ts";

/**
 * The hosted API's interface as a function of web-standard requests: mount it in any server, or pass it as `fetch` to an official client.
 * @throws {DecideError} `invalid_request` for options that are none.
 */
export function createHandler(options: HandlerOptions): Handler {
  const settings = readHandlerOptions(options);
  const now = (): number => performance.now();
  const queue = new FairQueue(settings.limits, now);
  const openApi = openApiDocument({
    ...settings,
    version,
    authentication: settings.keys !== undefined,
    credits: settings.credits !== undefined,
  });
  const arriving = new ByteBudget(settings.limits.waitingBytes);
  const context: HandlerContext = { ...settings, now, queue, rateLimit: new RateLimit(), arriving, openApi };
  const handle = async (input: Request | URL | string, init?: RequestInit): Promise<Response> =>
    // A request of any make: some servers bring a class of their own. They also pass things of their own as the second argument.
    typeof input === "object" && "method" in input ? answer(context, input) : answerAsFetch(context, new Request(input, init));
  return Object.defineProperty(handle, "load", { get: () => queue.load }) as Handler;
}

/** As `fetch` does, it rejects when the caller aborts. */
async function answerAsFetch(context: HandlerContext, request: Request): Promise<Response> {
  const response = await answer(context, request);
  request.signal.throwIfAborted();
  return response;
}

/** A request's way: its id, its route, who asks, the answer, and what is observed of it. */
async function answer(context: HandlerContext, request: Request): Promise<Response> {
  const startMs = context.now();
  const route = routeOf(request.url, context.basePath);
  const observation: Observation = { requestId: requestIdOf(request) };
  const headers = headersOf(observation.requestId, route, corsHeaders(request, context.corsOrigins));
  let response: Response;
  try {
    response = preflight(request, context.corsOrigins, headers) ?? (await answerRoute(context, request, route, observation, headers));
  } catch (thrown) {
    const error = forCallers(asDecideError(thrown));
    if (!hungUp(request)) Object.assign(observation, { code: error.code, cause: error.cause });
    response = errorResponse(error, headers);
  }
  context.onServed?.({
    method: request.method,
    route: route?.name ?? "none",
    status: hungUp(request) ? HUNG_UP : response.status,
    durationMs: context.now() - startMs,
    ...observation,
  });
  return response;
}

async function answerRoute(
  context: HandlerContext,
  request: Request,
  route: Route | undefined,
  observation: Observation,
  headers: Headers,
): Promise<Response> {
  if (route === undefined) {
    throw new DecideError("invalid_request", `There is nothing at this path. Decisions are at ${context.basePath}/decision/v1/model.`, {
      status: 404,
    });
  }
  if (request.method !== route.method && !(request.method === "HEAD" && route.method === "GET")) {
    headers.set("allow", route.method === "GET" ? "GET, HEAD" : route.method);
    throw new DecideError("invalid_request", `This path answers ${route.method}.`, { status: 405 });
  }
  switch (route.name) {
    case "openapi":
      return jsonResponse(200, context.openApi, headers);
    case "models": {
      const key = await authenticate(request, context, observation);
      // Those that the key may ask.
      const models = (await context.decider.models()).filter(({ id }) => key?.models?.includes(id) ?? true);
      return jsonResponse(200, { models: listedModels(models) }, headers);
    }
    case "decide":
      return jsonResponse(200, await answerDecide(request, context, observation, route), headers);
  }
}

function headersOf(requestId: string, route: Route | undefined, cors: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(cors);
  headers.set("x-request-id", requestId);
  headers.set("request-id", requestId);
  if (route?.vendor) headers.set("x-typesafe-request-id", requestId);
  return headers;
}

/** Where a model lies, and what of it is damaged, is for whoever runs the service. */
function forCallers(error: DecideError): DecideError {
  if (error.code !== "model_invalid") return error;
  const message = "The model of this service is damaged or does not fit it. Tell whoever runs the service: its log says more.";
  return new DecideError("model_invalid", message, { cause: error });
}

function hungUp(request: Request): boolean {
  return request.signal.aborted;
}
