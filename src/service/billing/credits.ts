/** One nanocredit is a billionth of a credit. Balances and costs are whole nanocredits, so that sums are exact. */
export const NANOCREDITS_PER_CREDIT = 1e9;

/** The most that an account can hold: 9,007,199.254740991 credits. */
export const MAX_NANOCREDITS = Number.MAX_SAFE_INTEGER;

/** Credits per million tokens: 0 to 1,000,000 with at most three decimals, so that a token costs a whole number of nanocredits. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** Prices by model id; `"*"` is the price of every model that is not named. */
export interface Prices {
  readonly [model: string]: Price;
}

/** Identifies a request. A retry within 24 hours of the charge is not charged again; the same request id with another body is another request. */
export interface ChargeId {
  /** The key's name, which is also the name of its account. */
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
  /** The cost: a whole number, 0 or more. */
  readonly nanocredits: number;
}

/** `taken`: the balance went down by the cost. `taken_before`: the same request was charged before and is not charged again. `insufficient`: nothing was taken. */
export type ChargeOutcome = "taken" | "taken_before" | "insufficient";

export interface HoldRequest extends ChargeId {
  /** The greatest price of the request: a whole number, 0 or more. */
  readonly nanocredits: number;
  /** Time after which the hold ends by itself, so that a process that died holds nothing back for long. */
  readonly leaseMs: number;
}

/** Credits that are held back for a request while it runs, so that no other request spends them. */
export interface Hold {
  /** Unique in its ledger, which chooses it. */
  readonly id: string;
  readonly account: string;
  /** The balance less what other requests hold. As much of it as was asked for is held. */
  readonly availableNanocredits: number;
  /** Held by other requests. */
  readonly othersNanocredits: number;
  /** True if the request has been charged before: it costs nothing, and nothing is held. */
  readonly isPaid: boolean;
}

/**
 * Where balances are kept. Every method is atomic, whatever else uses the same ledger, in this process or another.
 *
 * @throws {DecideError} `backend_unavailable` (503) if the ledger cannot be read or written, `retryable` if waiting may help; `closed` after it was
 *   closed. A charge that fails this way may still have been taken if the ledger failed at the very end; a retry does not take it twice.
 */
export interface Ledger {
  /** True if the balance is above 0, or if the request has been charged before. Takes nothing. */
  mayCharge(id: ChargeId): Promise<boolean>;
  /** Holds credits back for a request: what it asks for, or what is available if that is less. The balance stays as it is. */
  hold(request: HoldRequest): Promise<Hold>;
  /**
   * Takes a charge once, and never more than the balance. Once it resolves, the charge survives the end of the process.
   * @param hold that of the request, which ends with the charge. If the charge fails, release it.
   */
  charge(charge: Charge, hold?: Hold): Promise<ChargeOutcome>;
  /** Ends a hold. Does nothing if it has ended already. */
  release(hold: Hold): Promise<void>;
}

/** How the handler charges for requests. */
export interface Credits {
  readonly ledger: Ledger;
  readonly prices: Prices;
}
