import { abortable, withAnySignal } from "../../library/async/signals.ts";
import { parseRequest, tooLong, type ParsedRequest } from "../../library/decide/request.ts";
import type { Answer, DecideRequest, DecideResponse } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import { DecideError, type DecideErrorOptions } from "../../errors.ts";
import { Field, isNumber, numberBetween } from "../../library/validation/field.ts";
import { authenticate, checkModelAccess } from "../auth/authenticate.ts";
import type { ApiKey } from "../auth/keys.ts";
import { payerOf } from "../billing/payer.ts";
import { checkCounts, receiveBody, type Body } from "../body/body.ts";
import type { ByteBudget } from "../body/byte-budget.ts";
import type { RateLimit } from "../queue/admission.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { ReadingQueue } from "../queue/reading-queue.ts";
import { readOpenAiRequest, type ForeignRequest } from "../wires/openai-decisions.ts";
import type { HandlerSettings } from "./handler-options.ts";
import type { AnswerCounts, Arrival, Observed, Route } from "./observation.ts";

/** A handler's settings, and what it keeps between requests. */
export interface HandlerContext extends HandlerSettings {
  /** For the model. */
  readonly queue: FairQueue;
  /** For this thread, which reads the bodies. */
  readonly reading: ReadingQueue;
  readonly rateLimit: RateLimit;
  /** For the bodies that are being received. */
  readonly bodyBudget: ByteBudget;
  /** As JSON. */
  readonly openApi: string;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Default: none, every question is answered here. */
  readonly upstream?: Upstream | undefined;
}

/** A request on its way through the handler, and what becomes known of it. */
export interface Call {
  readonly request: Request;
  readonly context: HandlerContext;
  readonly observed: Observed;
  readonly route: Route;
  readonly arrival?: Arrival | undefined;
}

/** Answers with a hosted API behind the service. @throws {DecideError} what keeps the request from being answered. @throws `signal.reason` once the caller has gone. */
export type Upstream = (call: UpstreamCall) => Promise<WholeReply>;

export interface UpstreamCall extends Call, ReadRequest {
  /** Answers questions here, in turn with other requests. */
  decideHere(request: DecideRequest): Promise<DecideResponse>;
}

/** A reply's status and text, and headers that come with it. */
export interface WholeReply {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const A_RATE = numberBetween(0, 1);

/** The error rate that a client accepts of the answers it acts on; undefined if the body names none. If it is not valid, an issue. */
function readMaxErrorRate(body: Field): number | undefined {
  const rate = body.get("x_max_error_rate");
  if (rate.isMissing || rate.value === null) return undefined;
  return isNumber(rate, A_RATE.words) && rate.keeps(A_RATE) ? Number(rate.value) : undefined;
}

/** Without keys, all clients share one rate limit; and if the server does not say who asks, one place in the queue. */
const ANYONE = "";

/** Answers a decision: authentication and rate limit, then the answer, in the shape of the request's wire. @throws {DecideError} every error of the contract. */
export async function answerDecide(call: Call): Promise<WholeReply> {
  const { keys, limits, rateLimit, now, upstream } = call.context;
  const key = await authenticate(call.request, keys, call.observed);
  rateLimit.count(key?.name ?? ANYONE, key?.requestsPerMinute ?? limits.requestsPerMinute, now());
  try {
    if (upstream) return await askUpstream(upstream, call);
    return { status: 200, text: JSON.stringify(await answerClient(key, call)) };
  } catch (error) {
    throw withStatusOf(call.route, error);
  }
}

/** The request of a known client: admission, body, checks, queue, answer, charge. */
async function answerClient(key: ApiKey | undefined, call: Call): Promise<object> {
  const { request, context, observed, arrival } = call;
  const { decider, limits, queue, credits } = context;
  const client = key?.name ?? arrival?.client ?? ANYONE;
  queue.checkAdmission(client);
  const { body, asked, parsed, maxErrorRate, foreign } = await readRequest(client, call);
  await checkModelAccess(parsed, key, decider);
  const { requestId } = observed;
  const payer = await payerOf({ key, requestId, body, parsed, decider, runMs: limits.runMs }, credits);
  await payer?.checkBalance();
  try {
    const answer = await queue.run({ key: client, sizeBytes: body.sizeBytes, signal: request.signal }, async (run) => {
      observed.queuedMs = run.queuedMs;
      await untilLoaded(decider, request.signal);
      const decide = (maxInputTokens: number): Promise<DecideResponse> =>
        run.work((signal) => decider.decide(asked, { signal, maxInputTokens, maxErrorRate, ...(foreign && { countCached: true }) }));
      if (payer === undefined) return decide(limits.inputTokens);
      return payer.afford({ inputTokens: limits.inputTokens, signal: request.signal, timeLimit: run.timeLimit }, decide);
    });
    observed.model = answer.model;
    observed.usage = answer.usage;
    observed.answers = countAnswers(Object.values(answer.answers));
    // A client that disconnected gets no answer, so it is not charged.
    request.signal.throwIfAborted();
    if (payer !== undefined) observed.nanocredits = await payer.charge(answer);
    return foreign?.toReply(answer) ?? answer;
  } catch (error) {
    throw foreign ? withCallersLocs(error, foreign) : error;
  } finally {
    await payer?.release();
  }
}

/** The request of a known client, where a hosted API stands behind the service: body, checks, and the answers of both. */
async function askUpstream(upstream: Upstream, call: Call): Promise<WholeReply> {
  const { request, context, observed, arrival } = call;
  const { decider, limits, queue } = context;
  const client = arrival?.client ?? ANYONE;
  const read = await readRequest(client, call);
  const decideHere = (asked: DecideRequest): Promise<DecideResponse> =>
    queue.run({ key: client, sizeBytes: read.body.sizeBytes, signal: request.signal }, async (run) => {
      observed.queuedMs = run.queuedMs;
      await untilLoaded(decider, request.signal);
      return run.work((signal) => decider.decide(asked, { signal, maxInputTokens: limits.inputTokens, maxErrorRate: read.maxErrorRate }));
    });
  return upstream({ ...call, ...read, decideHere });
}

interface ReadRequest {
  readonly body: Body;
  /** The request for the decider, and the same as it was read. */
  readonly asked: DecideRequest;
  readonly parsed: ParsedRequest;
  readonly maxErrorRate: number | undefined;
  /** Of a request of another wire. */
  readonly foreign: ForeignRequest | undefined;
}

/** Receives the body; when it is the client's turn, reads and checks it. */
function readRequest(client: string, { request, context, route, arrival }: Call): Promise<ReadRequest> {
  const { limits, bodyBudget, reading } = context;
  return bodyBudget.receive(client, async (reserve, refused) => {
    const readBody = await receiveBody(request, limits, reserve, arrival?.chunks);
    // A body that has to make room waits for its turn no longer: its bytes would be held without being counted.
    return withAnySignal([request.signal, refused], (signal) =>
      reading.run(client, signal, async () => {
        const body = await readBody();
        const fields = new Field(body.value, ["body"]);
        const maxErrorRate = readMaxErrorRate(fields);
        // Some gateways send the first vendor's body to OpenAI's path.
        const foreign = route.isOpenAi && fields.get("state").isMissing ? readOpenAiRequest(fields) : undefined;
        const value = foreign ? foreign.value : body.value;
        try {
          checkCounts(value, limits);
          const parsed = parseRequest(value, { modelRequired: true, issues: fields.issues });
          // Other fields of a body mean nothing.
          const { model, state, questions } = value as DecideRequest;
          return { body, maxErrorRate, foreign, asked: { model, state, questions }, parsed };
        } catch (error) {
          throw foreign ? withCallersLocs(error, foreign) : error;
        }
      }),
    );
  });
}

export function countAnswers(answers: readonly Answer[]): AnswerCounts {
  const taught = answers.filter(({ x_lesson }) => x_lesson !== undefined).length;
  return { taught, untaught: answers.length - taught };
}

/** A model that has yet to be loaded does so in its own time, not in that of the request. What fails then also fails when it is asked, and is told there. */
async function untilLoaded(decider: Partial<Pick<Decider, "load">>, signal: AbortSignal): Promise<void> {
  const loading = decider.load?.().catch(() => undefined);
  await abortable(Promise.resolve(loading), signal);
}

function withStatusOf({ vendor, isOpenAi }: Route, error: unknown): unknown {
  if (!DecideError.isInstance(error)) return error;
  if (isOpenAi && error.status === 422) return changed(error, { status: 400 });
  // For the vendor's clients, 429 is about their own key.
  if (vendor && error.code === "overloaded") return changed(error, { status: 529 });
  return vendor && error.status === 400 ? changed(error, { status: 422 }) : error;
}

function withCallersLocs(error: unknown, { toCallersLoc }: ForeignRequest): unknown {
  if (!DecideError.isInstance(error) || error.issues === undefined) return error;
  const issues = error.issues.map((issue) => ({ ...issue, loc: toCallersLoc(issue.loc) }));
  // Its message names a place, too.
  const isPlaced = error.code === "input_too_long" && issues.every(({ loc }) => loc.length > 1);
  return isPlaced ? tooLong(issues, (loc) => loc.slice(1).join("."), error.issuesLeftOut) : changed(error, { issues });
}

function changed(
  { code, message, status, issues, issuesLeftOut, cause, retryAfterSeconds }: DecideError,
  by: DecideErrorOptions,
): DecideError {
  return new DecideError(code, message, { status, issues, issuesLeftOut, cause, retryAfterSeconds, ...by });
}
