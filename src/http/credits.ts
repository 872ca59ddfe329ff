/** One nanocredit is a thousand-millionth of a credit, the unit of prices: sums of whole numbers are exact. */
export const NANOCREDITS_PER_CREDIT = 1e9;

/** Credits for a million tokens; three decimals at most, so that a token costs a whole number of nanocredits. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** Prices by model id; `"*"` is that of every model that is not named. */
export interface Prices {
  readonly [model: string]: Price;
}

/** What makes two requests the same one: a retry of a charged request is not charged again. */
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

/** Where balances are kept. Every method is atomic, whatever else runs on the same ledger, in this process or another one. */
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
