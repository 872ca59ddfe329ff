import type { Question, Text } from "../../library/decide/types.ts";
import type { Decider, ModelSummary } from "../../library/decider/decider.ts";
import { asDecideError, DecideError } from "../../errors.ts";
import type { LessonSummary } from "../../library/lessons/lesson.ts";
import { version } from "../../version.ts";
import { answerDecide, type Call, type HandlerContext, type Upstream } from "./answer-decide.ts";
import { authenticate } from "../auth/authenticate.ts";
import { ByteBudget } from "../body/byte-budget.ts";
import { corsHeaders, preflight } from "./cors.ts";
import { readHandlerOptions, type Handler, type HandlerOptions } from "./handler-options.ts";
import type { FIXED_LIMITS } from "./limits.ts";
import { Arrival, HUNG_UP, routeOf, type Base, type Observed, type Route } from "./observation.ts";
import { openApiDocument } from "../wires/openapi.ts";
import { FairQueue } from "../queue/fair-queue.ts";
import { RateLimit } from "../queue/admission.ts";
import { ReadingQueue } from "../queue/reading-queue.ts";
import { errorReply, idHeaders, jsonReply, requestIdOf, textReply, toResponse, type Reply, type ReplyHeaders } from "./responses.ts";

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

/** Answers requests with plain replies: what a handler and a server of our own are made of. */
export interface Answerer {
  /** Never rejects. */
  answer(request: Request, arrival?: Arrival): Promise<Reply>;
  readonly load: { readonly waiting: number; readonly running: number };
}

/**
 * @param fixed limits that are no options; tests give others
 * @param base where the routes begin. Default: the option `basePath`
 * @param upstream a hosted API that answers what this service does not. Default: none
 * @throws {DecideError} `invalid_request` naming every invalid option.
 */
export function createAnswerer(options: HandlerOptions, fixed?: Partial<typeof FIXED_LIMITS>, base?: Base, upstream?: Upstream): Answerer {
  const settings = readHandlerOptions(options, fixed);
  const { decider, limits, keys, credits } = settings;
  const now = (): number => performance.now();
  const queue = new FairQueue(limits, now, decider.pause?.bind(decider), () => workersOf(decider));
  const reading = new ReadingQueue(now, (key, ms) => {
    queue.charge(key, ms);
  });
  const context: HandlerContext = {
    ...settings,
    upstream,
    now,
    queue,
    reading,
    rateLimit: new RateLimit(),
    bodyBudget: new ByteBudget(limits.waitingBytes),
    openApi: JSON.stringify(openApiDocument({ ...settings, version, authentication: keys !== undefined, credits: credits !== undefined })),
  };
  return {
    answer: (request, arrival) => answer(context, request, routeOf(request.url, base ?? context.basePath), arrival),
    get load() {
      return queue.load;
    },
  };
}

/** A decider of the caller's own may have no `stats`, or another `stats`: it answers one request at a time. */
function workersOf(decider: { stats?(): { readonly workers?: number } }): number {
  return decider.stats?.().workers ?? 1;
}

/** Answers one request, errors included, and reports it to `onServed`. */
async function answer(context: HandlerContext, request: Request, route: Route | undefined, arrival?: Arrival): Promise<Reply> {
  const startMs = context.now();
  const requestId = requestIdOf(request);
  const observed: Observed = { requestId };
  const headers: ReplyHeaders = {
    ...corsHeaders(request, context.corsOrigins),
    ...idHeaders(requestId),
    ...(route?.vendor && { "x-typesafe-request-id": requestId }),
  };
  let reply: Reply;
  try {
    reply =
      preflight(request, context.corsOrigins, headers) ?? (await answerRoute({ request, context, observed, route, arrival }, headers));
  } catch (thrown) {
    const error = withoutPaths(asDecideError(thrown));
    if (!request.signal.aborted) [observed.code, observed.cause] = [error.code, error.cause];
    reply = errorReply(error, headers);
  }
  context.onServed?.({
    method: request.method,
    route: route?.name ?? "none",
    status: request.signal.aborted ? HUNG_UP : reply.status,
    durationMs: context.now() - startMs,
    ...observed,
  });
  return reply;
}

async function answerRoute(
  { route, ...others }: Omit<Call, "route"> & { readonly route: Route | undefined },
  headers: ReplyHeaders,
): Promise<Reply> {
  const { request, context } = others;
  if (route === undefined) {
    const base = context.basePath;
    const message = `There is nothing at this path. Decisions are at ${base}/decision/v1/model, and for OpenAI's clients at ${base}/v1/decisions.`;
    throw new DecideError("invalid_request", message, { status: 404 });
  }
  const call = { route, ...others };
  if (request.method !== route.method && !(request.method === "HEAD" && route.method === "GET")) {
    headers["allow"] = route.method === "GET" ? "GET, HEAD" : route.method;
    throw new DecideError("invalid_request", `This path only answers ${route.method}.`, { status: 405 });
  }
  switch (route.name) {
    case "openapi":
      return textReply(200, context.openApi, headers);
    case "models":
      return jsonReply(200, await answerModels(call), headers);
    case "decide": {
      const answer = await answerDecide(call);
      return textReply(answer.status, answer.text, Object.assign(headers, answer.headers));
    }
  }
}

/** `model_invalid` says where the model's files are and which one is damaged. That is for the operator's log, not for clients. */
function withoutPaths(error: DecideError): DecideError {
  if (error.code !== "model_invalid") return error;
  const message = "The model of this service is damaged or does not fit it. Tell the operator of the service: its log says more.";
  return new DecideError("model_invalid", message, { cause: error });
}

async function answerModels({ request, context, observed, route: { vendor } }: Call): Promise<object> {
  const key = await authenticate(request, context.keys, observed);
  // A decider may be the caller's own, and know nothing of lessons.
  const decider: Pick<Decider, "models"> & Partial<Pick<Decider, "lessons">> = context.decider;
  const accessible = (await decider.models()).filter(({ id }) => key?.models?.includes(id) ?? true);
  const models = listedModels(accessible, decider.lessons?.());
  // OpenAI's clients ask at the same path as the vendor's. `created` is in seconds.
  const asOpenAi = ({ name, release_date }: ListedModel): object => {
    return { id: name, object: "model", created: Date.parse(release_date) / 1000, owned_by: "umpire" };
  };
  return { models, ...(vendor && { object: "list", data: models.map(asOpenAi) }) };
}

/** A model as the hosted API lists it. Fields that the hosted API does not have start with `x_`. */
export interface ListedModel {
  readonly name: string;
  readonly description: string;
  /** For example 2026-11-21. */
  readonly release_date: string;
  /** Whether this is the model that `latest` stands for. */
  readonly x_latest: boolean;
  /** Names of this service that stand for it, too; absent if there are none. */
  readonly x_aliases?: readonly string[];
  /** Questions that it was taught; absent if there are none. */
  readonly x_lessons?: readonly ListedLesson[];
}

/** A lesson that answers, as far as it tells a question from others at a glance. Criteria are left out: they may be long. */
interface ListedLesson {
  /** As `x_lesson` of the answers. */
  readonly id: string;
  readonly type: Question["type"];
  /** Absent if the question has none. */
  readonly instructions?: Text;
}

export function listedModels(models: readonly ModelSummary[], lessons: readonly LessonSummary[] = []): ListedModel[] {
  return models.map(({ id, description, releaseDate, isDefault, aliases }) => {
    const own = lessons.filter(({ model }) => model === id);
    return {
      name: id,
      description,
      release_date: releaseDate,
      x_latest: isDefault,
      ...(aliases && { x_aliases: aliases }),
      ...(own.length > 0 && {
        x_lessons: own.map(({ id, question: { type, instructions } }) => ({ id, type, ...(instructions != null && { instructions }) })),
      }),
    };
  });
}
