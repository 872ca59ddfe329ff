import type { Charge } from "../../../../src/service/billing/credits.ts";

/** A charge with the request id `r<number>`, of 100 nanocredits unless changed. */
export function chargeNumber(number: number | string, changes: Partial<Charge> = {}): Charge {
  return {
    account: "mail",
    requestId: `r${number}`,
    bodySha256: "0".repeat(64),
    model: "umpire-2",
    inputTokens: 144,
    outputTokens: 1,
    nanocredits: 100,
    ...changes,
  };
}
