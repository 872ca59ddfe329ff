import type { Charge } from "../../../src/http/billing/credits.ts";

/** A charge of 100 nanocredits or as said, whose request id is `r<number>`. */
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
