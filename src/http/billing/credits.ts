/** One nanocredit is a thousand-millionth of a credit. Balances and costs are whole nanocredits, so that sums are exact. */
export const NANOCREDITS_PER_CREDIT = 1e9;

/** The most that an account can hold: 9,007,199.254740991 credits. */
export const MAX_NANOCREDITS = Number.MAX_SAFE_INTEGER;

/** Credits for a million tokens: 0 to 1,000,000, with three decimals at most, so that a token costs a whole number of nanocredits. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** Prices by model id; `"*"` is that of every model that is not named. */
export interface Prices {
  readonly [model: string]: Price;
}

/**
 * What makes two requests the same one. A retry within 24 hours of the charge is not charged again; the same request id with another body is
 * another request.
 */
export interface ChargeId {
  /** The key's name, which is that of its account. */
  readonly account: string;
  /** `x-request-id` of the reply. */
  readonly requestId: string;
  /** SHA-256 of the request's body, hexadecimal. */
  readonly bodySha256: string;
}

export interface Charge extends ChargeId {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What it costs: a whole number, 0 or more. */
  readonly nanocredits: number;
}

/** `taken`: the balance is less by the charge. `taken_before`: the same request has been charged, and was not again. `insufficient`: nothing was taken. */
export type ChargeOutcome = "taken" | "taken_before" | "insufficient";

/**
 * Where balances are kept. Every method is atomic, whatever else runs on the same ledger, in this process or another one.
 *
 * @throws DecideError `backend_unavailable` (503) when the ledger cannot be read or written, `retryable` where waiting may help; `closed` after its
 *   end. A charge that was refused so may have been taken if the ledger failed at its very end: made again, it is not taken twice.
 */
export interface Ledger {
  /** True if the account has more than 0, or the request has been charged before. Spends nothing. */
  mayCharge(id: ChargeId): Promise<boolean>;
  /** Takes a charge once, and never more than there is. When it has resolved, the charge survives the end of the process. */
  charge(charge: Charge): Promise<ChargeOutcome>;
}

/** How the handler charges. */
export interface Credits {
  readonly ledger: Ledger;
  readonly prices: Prices;
}
