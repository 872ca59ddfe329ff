import { abortable } from "../async/abortable.ts";
import type { Decider } from "../decider/decider.ts";
import { DecideError } from "../errors.ts";
import { CheckedRequest } from "../decide/request.ts";
import type { DecideResponse } from "../decide/types.ts";
import { authenticate } from "./auth/authenticate.ts";
import type { ApiKey } from "./auth/keys.ts";
import { checkModelAccess } from "./auth/model-access.ts";
import { payerOf } from "./billing/payer.ts";
import { receiveBody } from "./body/body.ts";
import type { Body } from "./body/body.ts";
import { checkCounts } from "./body/check-counts.ts";
import type { HandlerContext } from "./context.ts";
import type { Observation } from "./observation.ts";
import type { Route } from "./routes.ts";

/** Without keys, all clients share one place in the queue and one rate limit. */
const ANYONE = "";

/**
 * Answers a decision: authentication and rate limit, then the answer.
 * @throws {DecideError} every error of the contract.
 */
export async function answerDecide(
  request: Request,
  context: HandlerContext,
  observed: Observation,
  { vendor }: Route,
): Promise<DecideResponse> {
  const { keys, limits, rateLimit, now } = context;
  const key = await authenticate(request, keys, observed);
  rateLimit.count(key?.name ?? ANYONE, key?.requestsPerMinute ?? limits.requestsPerMinute, now());
  try {
    return await answerClient(key, request, context, observed);
  } catch (error) {
    throw vendor ? withVendorStatus(error) : error;
  }
}

/** The request of a known client: admission, body, checks, queue, answer, charge. */
async function answerClient(
  key: ApiKey | undefined,
  request: Request,
  context: HandlerContext,
  observed: Observation,
): Promise<DecideResponse> {
  const { decider, limits, queue, credits } = context;
  const client = key?.name ?? ANYONE;
  queue.checkAdmission(client);
  const { body, checked } = await readRequest(client, request, context);
  await checkModelAccess(checked.parsed, key, decider);
  const payer = await payerOf(key, observed.requestId, body, credits);
  await payer?.checkBalance();
  const answer = await queue.run({ key: client, sizeBytes: body.sizeBytes, signal: request.signal }, async (run) => {
    observed.note({ queuedMs: run.queuedMs });
    await untilLoaded(decider, request.signal);
    return run.work((signal) => decider.decide(checked, { signal, maxInputTokens: limits.inputTokens }));
  });
  observed.note({ model: answer.model, usage: answer.usage });
  // A client that disconnected gets no answer, so it is not charged.
  request.signal.throwIfAborted();
  if (payer !== undefined) observed.note({ nanocredits: await payer.charge(answer) });
  return answer;
}

interface ReadRequest {
  readonly body: Body;
  readonly checked: CheckedRequest;
}

/** Receives the body; when it is the client's turn, reads and checks it. */
async function readRequest(client: string, request: Request, { limits, bodyBudget, reading }: HandlerContext): Promise<ReadRequest> {
  const share = bodyBudget.share(client);
  try {
    const readBody = await receiveBody(request, limits, share);
    return await reading.run(client, request.signal, async () => {
      const body = await readBody();
      const checked = new CheckedRequest(body.value, { modelRequired: true });
      checkCounts(checked.parsed, limits);
      return { body, checked };
    });
  } finally {
    share.release();
  }
}

/** A model that has yet to be loaded does so in its own time, not in that of the request. What fails then also fails when it is asked, and is told there. */
async function untilLoaded(decider: Partial<Pick<Decider, "info">>, signal: AbortSignal): Promise<void> {
  const loading = decider.info?.().catch(() => undefined);
  await abortable(Promise.resolve(loading), signal);
}

/**
 * The vendor's clients know an overloaded service by 529; 429 tells them that their own key sent too many requests. They know a body that is not JSON as
 * one more invalid request.
 */
function withVendorStatus(error: unknown): unknown {
  if (!DecideError.isInstance(error)) return error;
  const { code, message, status, issues, cause, retryAfterSeconds } = error;
  if (code === "overloaded") return new DecideError(code, message, { status: 529, retryAfterSeconds });
  return status === 400 ? new DecideError(code, message, { status: 422, issues, cause }) : error;
}
