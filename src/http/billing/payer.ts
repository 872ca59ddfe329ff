import { DecideError } from "../../errors.ts";
import type { DecideResponse } from "../../decide/types.ts";
import type { ApiKey } from "../auth/keys.ts";
import type { Body } from "../body/body.ts";
import type { ChargeId, Credits } from "./credits.ts";
import { costOf, priceOf } from "./prices.ts";

/** The account that pays for one request. */
export interface Payer {
  /** @throws {DecideError} `insufficient_credits` if the account is empty, unless this request has been paid for already. */
  checkBalance(): Promise<void>;
  /**
   * Charges the cost of the answer.
   * @returns the nanocredits taken: 0 for a request that has been paid for already.
   * @throws {DecideError} `insufficient_credits` if the account holds less than the cost; nothing is taken then.
   */
  charge(answer: DecideResponse): Promise<number>;
}

/** Undefined if requests are free, or free for this key. */
export async function payerOf(
  key: ApiKey | undefined,
  requestId: string,
  body: Body,
  credits: Credits | undefined,
): Promise<Payer | undefined> {
  if (credits === undefined || key === undefined || key.paysCredits === false) return undefined;
  const { ledger, prices } = credits;
  const id: ChargeId = { account: key.name, requestId, bodySha256: await body.sha256() };
  return {
    checkBalance: async () => {
      if (!(await ledger.mayCharge(id))) throw insufficient("This key has no credits left.");
    },
    charge: async ({ model, usage }) => {
      const price = priceOf(prices, model);
      if (price === undefined) throw new DecideError("model_not_found", "The model that answered has no price here, so it cannot be used.");
      const nanocredits = costOf(usage, price);
      const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
      const outcome = await ledger.charge({ ...id, model, inputTokens, outputTokens, nanocredits });
      if (outcome === "insufficient") throw insufficient("This key has too few credits for this request.");
      return outcome === "taken" ? nanocredits : 0;
    },
  };
}

function insufficient(why: string): DecideError {
  return new DecideError("insufficient_credits", `${why} Nothing was taken. Ask the operator of the service for more.`);
}
