import { toBatch } from "../../library/decide/decide.ts";
import type { ParsedRequest } from "../../library/decide/request.ts";
import type { DecideResponse, Usage } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import { DecideError } from "../../errors.ts";
import { modelIdOf } from "../auth/authenticate.ts";
import type { ApiKey } from "../auth/keys.ts";
import type { Body } from "../body/body.ts";
import { MAX_NANOCREDITS, type ChargeId, type Credits, type Hold } from "./credits.ts";
import { anyCostOf, costOf, inputTokensFor, priceOf } from "./prices.ts";

interface WorkLimits {
  readonly inputTokens: number;
  /** Ends the work, which then rejects with `signal.reason`. */
  readonly signal: AbortSignal;
  /** Does so when the work takes too long. */
  readonly timeLimit: AbortSignal;
}

export interface PaidRequest {
  readonly key: ApiKey | undefined;
  readonly requestId: string;
  readonly body: Pick<Body, "sha256">;
  readonly parsed: ParsedRequest;
  readonly decider: Pick<Decider, "models">;
  readonly runMs: number;
}

/** A hold outlives the time that its request may run by this, for pauses and the commit. */
const MORE_LEASE_MS = 30_000;
const MAX_LEASE_MS = 24 * 60 * 60 * 1000;

/** The account that pays for one request. */
export interface Payer {
  /** @throws {DecideError} `insufficient_credits` if the account is empty, unless this request has been paid for already. */
  checkBalance(): Promise<void>;
  /**
   * Holds the greatest price of the request back, then starts the work.
   * @param work refuses a request with more input tokens than it gets: the limit, or what the account can pay for if that is less
   * @throws {DecideError} `insufficient_credits`, before any work, if the account cannot pay the greatest price; `overloaded` if it could, but other
   *   requests of the same key hold its credits.
   */
  afford<T>(limits: WorkLimits, work: (maxInputTokens: number) => Promise<T>): Promise<T>;
  /**
   * Charges the cost of the answer.
   * @returns the nanocredits taken: 0 for a request that has been paid for already.
   * @throws {DecideError} `insufficient_credits` if the account holds less than the cost; nothing is taken then.
   */
  charge(answer: DecideResponse): Promise<number>;
  /** Ends what `afford` held back, unless the charge did so. Never rejects. */
  release(): Promise<void>;
}

/** Undefined if requests are free, or free for this key. */
export async function payerOf(request: PaidRequest, credits: Credits | undefined): Promise<Payer | undefined> {
  const { key, requestId, body, parsed, decider, runMs } = request;
  if (credits === undefined || key === undefined || key.paysCredits === false) return undefined;
  const { ledger, prices } = credits;
  const id: ChargeId = { account: key.name, requestId, bodySha256: await body.sha256() };
  const asked = (await modelIdOf(parsed, decider)) ?? "";
  /** That of the model that is asked for; undefined if it has none. */
  const price = priceOf(prices, asked);
  if (price === undefined && (await decider.models()).some(({ id }) => id === asked)) throw noPrice();
  const greatest = greatestUsage(parsed);
  let held: Hold | undefined;

  async function release(): Promise<void> {
    if (held === undefined) return;
    // If the ledger cannot be reached, the hold ends with its lease; the request's own outcome is what counts.
    await ledger.release(held).catch(() => undefined);
    held = undefined;
  }

  return {
    release,

    async checkBalance() {
      if (!(await ledger.mayCharge(id))) throw insufficient("This key has no credits left.");
    },

    async afford({ inputTokens, signal, timeLimit }, work) {
      // The decider says that there is no such model.
      if (price === undefined) return work(inputTokens);
      const usage = { ...greatest, input_tokens: Math.min(greatest.input_tokens, inputTokens) };
      const leaseMs = Math.min(Math.ceil(runMs) + MORE_LEASE_MS, MAX_LEASE_MS);
      const hold = await ledger.hold({ ...id, nanocredits: Math.min(anyCostOf(usage, price), MAX_NANOCREDITS), leaseMs });
      if (hold.isPaid) return work(inputTokens);
      held = hold;
      // The request may have ended while it waited for the ledger, and nobody would release the hold.
      if (signal.aborted) await release();
      signal.throwIfAborted();
      const payableTokens = inputTokensFor(hold.availableNanocredits, greatest.output_tokens, price);
      if (payableTokens >= inputTokens) return work(inputTokens);
      if (payableTokens < 1) throw tooFew(hold);
      try {
        return await work(payableTokens);
      } catch (error) {
        // A request that runs for too long is refused as its signal says.
        const isStopped = signal.aborted || timeLimit.aborted;
        throw isTooLongInAll(error) && !isStopped ? tooFew(hold) : error;
      }
    },

    async charge({ model, usage }) {
      const price = priceOf(prices, model);
      if (price === undefined) throw noPrice();
      const nanocredits = costOf(usage, price);
      const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
      const outcome = await ledger.charge({ ...id, model, inputTokens, outputTokens, nanocredits }, held);
      held = undefined;
      if (outcome === "insufficient") throw insufficient("This key has too few credits for this request.");
      return outcome === "taken" ? nanocredits : 0;
    },
  };
}

/** Whether the decider refused the request for its number of tokens: that alone concerns the whole body. */
function isTooLongInAll(error: unknown): boolean {
  return (
    DecideError.isInstance(error) && error.code === "input_too_long" && error.issues?.length === 1 && error.issues[0]?.loc.length === 1
  );
}

/** While other requests of the key hold its credits, nobody knows yet whether there will be enough. */
function tooFew({ othersNanocredits }: Hold): DecideError {
  if (othersNanocredits === 0) return insufficient("This key has too few credits for this request.");
  const message =
    "The credits of this key are held back for its other requests, and the rest is too little for this one. Try again in 1 s.";
  return new DecideError("overloaded", message, { retryAfterSeconds: 1 });
}

function noPrice(): DecideError {
  return new DecideError("model_not_found", "That model has no price here, so it cannot be used.");
}

function insufficient(why: string): DecideError {
  return new DecideError("insufficient_credits", `${why} Nothing was taken. Ask the operator of the service for more.`);
}

/**
 * The most tokens that a request can have, as far as that is known without the model: a text has no more tokens than bytes. (Hardly ever more: some
 * models spell out rare characters, such as a ligature for eight words.)
 */
export function greatestUsage(request: ParsedRequest): Usage {
  const { state, questions } = toBatch(request);
  const sent = questions.flatMap(({ instructions, options }) => [instructions, ...options.flatMap((option) => option.sent)]);
  const longest = questions.map(({ options }) => Math.max(...options.map(({ answer }) => (answer === null ? 1 : bytesOf(answer)))));
  return { input_tokens: bytesOf([state, ...sent].join("")), output_tokens: longest.reduce((sum, bytes) => sum + bytes, 0) };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
