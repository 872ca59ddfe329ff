import { DecideError } from "../errors.ts";
import type { Issue } from "../errors.ts";
import { parseRequest } from "../decide/request.ts";
import type { ParsedRequest } from "../decide/request.ts";
import type { DecideRequest, DecideResponse } from "../decide/types.ts";
import { authenticate } from "./auth/authenticate.ts";
import { readBody } from "./body/body.ts";
import { payerOf } from "./billing/charging.ts";
import type { Observation } from "./observation.ts";
import type { ApiKey } from "./auth/keys.ts";
import type { ServiceLimits } from "./limits.ts";
import { checkModel } from "./auth/allowed-models.ts";
import type { Route } from "./routes.ts";
import type { HandlerContext } from "./context.ts";
import { withinMs } from "./queue/time-limit.ts";

/** Where nobody has a key, everybody shares one turn. */
const EVERYBODY = "";

/**
 * A decision's way: who asks, and how often; then what, its turn, the answer, and what that costs.
 * @throws {DecideError} every error of the contract.
 */
export async function answerDecide(
  request: Request,
  context: HandlerContext,
  observation: Observation,
  { vendor }: Route,
): Promise<DecideResponse> {
  const { limits, rateLimit, now } = context;
  const key = await authenticate(request, context, observation);
  rateLimit.count(key?.name ?? EVERYBODY, key?.requestsPerMinute ?? limits.requestsPerMinute, now());
  try {
    return await answerTo(key, request, context, observation);
  } catch (error) {
    throw vendor ? overloadedAsVendor(error) : error;
  }
}

async function answerTo(
  key: ApiKey | undefined,
  request: Request,
  context: HandlerContext,
  observation: Observation,
): Promise<DecideResponse> {
  const { decider, limits, queue, arriving } = context;
  const whose = key?.name ?? EVERYBODY;
  queue.refuseIfHopeless(whose);
  const body = await readBody(request, limits, arriving.share(whose));
  const parsed = parseRequest(body.value, { modelRequired: true });
  checkCounts(parsed, limits);
  await checkModel(parsed, key, decider);
  const payer = await payerOf(key, body, observation, context);
  await payer?.mayAsk();
  const answer = await queue.run({ key: whose, sizeBytes: body.sizeBytes, signal: request.signal }, (queuedMs) => {
    observation.queuedMs = queuedMs;
    // Checked once more there: what is refused here is what only this service refuses.
    const asked = body.value as DecideRequest;
    return withinMs(limits.runMs, request.signal, (signal) => decider.decide(asked, { signal, maxInputTokens: limits.inputTokens }));
  });
  observation.model = answer.model;
  observation.usage = answer.usage;
  // Whoever hung up gets no answer, and pays for none.
  request.signal.throwIfAborted();
  await payer?.charge(answer);
  return answer;
}

/** The vendor's clients know an overloaded service by 529; 429 tells them that it is their key that asked too often. */
function overloadedAsVendor(error: unknown): unknown {
  if (!DecideError.isInstance(error) || error.code !== "overloaded") return error;
  const { message, retryAfterSeconds } = error;
  return new DecideError("overloaded", message, { status: 529, retryAfterSeconds });
}

/** @throws {DecideError} `invalid_request` that names both counts. */
function checkCounts({ questions }: ParsedRequest, limits: ServiceLimits): void {
  const criteria = questions.reduce((sum, question) => sum + question.criteria.length, 0);
  const issues: Issue[] = [];
  const check = (count: number, limit: number, what: string): void => {
    if (count <= limit) return;
    issues.push({
      loc: ["body", "questions"],
      msg: `must hold at most ${limit} ${what} in one request, but holds ${count}`,
      type: "too_many",
    });
  };
  check(questions.length, limits.questions, "questions");
  check(criteria, limits.criteria, "options and levels");
  const [first] = issues;
  if (first !== undefined) {
    throw new DecideError(
      "invalid_request",
      `The request is too large for this service: questions ${first.msg}. Ask in several requests.`,
      { issues },
    );
  }
}
