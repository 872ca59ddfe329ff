import { DecideError } from "../../errors.ts";
import type { DecideResponse } from "../../decide/types.ts";
import type { Body } from "../body/body.ts";
import type { ChargeId } from "./credits.ts";
import type { Observation } from "../observation.ts";
import type { ApiKey } from "../auth/keys.ts";
import { costOf, priceOf } from "./prices.ts";
import type { HandlerContext } from "../context.ts";

/** The account that pays for one request. */
export interface Payer {
  /** @throws {DecideError} `insufficient_credits` when there are none left, unless the request has been paid for. */
  mayAsk(): Promise<void>;
  /** Takes what the answer costs. @throws {DecideError} `insufficient_credits` when there are fewer, and then takes none. */
  charge(answer: DecideResponse): Promise<void>;
}

/** Undefined where calls cost nothing, or cost this key nothing. */
export async function payerOf(
  key: ApiKey | undefined,
  body: Body,
  observation: Observation,
  { credits }: HandlerContext,
): Promise<Payer | undefined> {
  if (credits === undefined || key === undefined || key.paysCredits === false) return undefined;
  const { ledger, prices } = credits;
  const id: ChargeId = { account: key.name, requestId: observation.requestId, bodySha256: await body.sha256() };
  return {
    mayAsk: async () => {
      if (!(await ledger.mayCharge(id))) throw insufficient("The credits of this key are spent.");
    },
    charge: async ({ model, usage }) => {
      const price = priceOf(prices, model);
      if (price === undefined) throw new DecideError("model_not_found", "The model that answered has no price here, so nobody may ask it.");
      const nanocredits = costOf(usage, price);
      const outcome = await ledger.charge({
        ...id,
        model,
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        nanocredits,
      });
      if (outcome === "insufficient") throw insufficient("The credits of this key do not suffice for this request.");
      observation.nanocredits = outcome === "taken" ? nanocredits : 0;
    },
  };
}

function insufficient(why: string): DecideError {
  return new DecideError("insufficient_credits", `${why} Nothing was taken. Ask whoever runs the service for more.`);
}
