import { DecideError } from "../errors.ts";
import { CheckedRequest } from "../decide/request.ts";
import type { DecideResponse } from "../decide/types.ts";
import type { Arrival } from "./arrival.ts";
import { authenticate } from "./auth/authenticate.ts";
import type { ApiKey } from "./auth/keys.ts";
import { checkModelAccess } from "./auth/model-access.ts";
import { payerOf } from "./billing/payer.ts";
import { readBody } from "./body/body.ts";
import { checkCounts } from "./body/check-counts.ts";
import type { HandlerContext } from "./context.ts";
import type { Observation } from "./observation.ts";
import { withinMs } from "./queue/time-limit.ts";
import type { Route } from "./routes.ts";

/** Without keys, all clients share one rate limit; and if the server does not say who asks, one place in the queue. */
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
  arrival?: Arrival,
): Promise<DecideResponse> {
  const { keys, limits, rateLimit, now } = context;
  const key = await authenticate(request, keys, observed);
  rateLimit.count(key?.name ?? ANYONE, key?.requestsPerMinute ?? limits.requestsPerMinute, now());
  try {
    return await answerClient(key, request, context, observed, arrival);
  } catch (error) {
    throw vendor ? withVendorStatus(error) : error;
  }
}

/** The request of a known client: admission, body, checks, queue, answer, charge. */
async function answerClient(
  key: ApiKey | undefined,
  request: Request,
  { decider, limits, queue, bodyBudget, credits }: HandlerContext,
  observed: Observation,
  arrival?: Arrival,
): Promise<DecideResponse> {
  const client = key?.name ?? arrival?.client ?? ANYONE;
  queue.checkAdmission(client);
  const body = await readBody(request, limits, bodyBudget.share(client), arrival?.chunks);
  checkCounts(body.value, limits);
  const checked = new CheckedRequest(body.value, { modelRequired: true });
  await checkModelAccess(checked.parsed, key, decider);
  const { requestId } = observed;
  const payer = await payerOf({ key, requestId, body, parsed: checked.parsed, decider, runMs: limits.runMs }, credits);
  await payer?.checkBalance();
  try {
    const answer = await queue.run({ key: client, sizeBytes: body.sizeBytes, signal: request.signal }, (queuedMs) => {
      observed.note({ queuedMs });
      return withinMs(limits.runMs, request.signal, (signal) => {
        const decide = (maxInputTokens: number): Promise<DecideResponse> => decider.decide(checked, { signal, maxInputTokens });
        return payer?.afford({ inputTokens: limits.inputTokens, signal }, decide) ?? decide(limits.inputTokens);
      });
    });
    observed.note({ model: answer.model, usage: answer.usage });
    // A client that disconnected gets no answer, so it is not charged.
    request.signal.throwIfAborted();
    if (payer !== undefined) observed.note({ nanocredits: await payer.charge(answer) });
    return answer;
  } finally {
    await payer?.release();
  }
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
