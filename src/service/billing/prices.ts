import { DecideError, type Location } from "../../errors.ts";
import { Field, firstOf, isNumber, refuseUnknown, type Rule } from "../../library/validation/field.ts";
import type { Usage } from "../../library/decide/types.ts";
import { MAX_NANOCREDITS, type Price, type Prices } from "./credits.ts";

/** Above this price, the cost of a long request could not be computed exactly. */
const MAX_PER_MILLION = 1_000_000;

/** Nanocredits per token at a price of one credit per million tokens. */
const NANOCREDITS_PER_TOKEN = 1000;

/** Stands for every model without a price of its own. */
const ANY_MODEL = "*";

const AMOUNT: Rule = {
  isKept: (value) =>
    typeof value === "number" && value >= 0 && value <= MAX_PER_MILLION && perToken(value) / NANOCREDITS_PER_TOKEN === value,
  words: "a number from 0 to 1,000,000 with at most three decimals",
};

const AMOUNTS = ["inputPerMillion", "outputPerMillion"] as const satisfies (keyof Price)[];

/**
 * Reads prices as a configuration has them: `{"umpire-2": {"inputPerMillion": 0.1, "outputPerMillion": 0.4}, "*": …}`.
 *
 * @throws {DecideError} `invalid_request` with every issue: a price is a number from 0 to 1,000,000 with at most three decimals.
 */
export function parsePrices(value: unknown): Prices {
  const prices = new Field(value, ["prices"]);
  const entries = prices.entries("an object that maps models to prices");
  for (const [, price] of entries) {
    if (!price.isObject(`an object with ${AMOUNTS.join(" and ")}`)) continue;
    for (const name of AMOUNTS) {
      const amount = price.get(name);
      if (isNumber(amount, AMOUNT.words)) amount.keeps(AMOUNT);
    }
    refuseUnknown(price, AMOUNTS);
  }
  const { issues } = prices;
  if (entries.length === 0 && issues.length === 0) prices.refuse(`must name a model, or "${ANY_MODEL}" for all, but is empty`, "too_few");
  if (issues.length > 0) throw new DecideError("invalid_request", `The prices are not valid: ${firstOf(issues, placeOf)}.`, { issues });
  return value as Prices;
}

/** The model's own price, or that of `"*"`; undefined if there is neither. */
export function priceOf(prices: Prices, model: string): Price | undefined {
  for (const name of [model, ANY_MODEL]) if (Object.hasOwn(prices, name)) return prices[name];
  return undefined;
}

/**
 * The exact cost of a call in whole nanocredits.
 *
 * @throws {DecideError} `insufficient_credits` if it is more than any account can hold.
 */
export function costOf(usage: Usage, price: Price): number {
  const cost = anyCostOf(usage, price);
  if (cost > MAX_NANOCREDITS) throw new DecideError("insufficient_credits", "The call costs more credits than an account can hold.");
  return cost;
}

/** The cost of a call, not exact if it is more than any account can hold. */
export function anyCostOf(usage: Usage, price: Price): number {
  return usage.input_tokens * perToken(price.inputPerMillion) + usage.output_tokens * perToken(price.outputPerMillion);
}

/** How many input tokens an amount pays for, besides that many output tokens: less than 0 if it does not even pay for those, `Infinity` if input is free. */
export function inputTokensFor(nanocredits: number, outputTokens: number, price: Price): number {
  const left = nanocredits - outputTokens * perToken(price.outputPerMillion);
  return left < 0 ? -1 : price.inputPerMillion === 0 ? Infinity : Math.floor(left / perToken(price.inputPerMillion));
}

function perToken(perMillion: number): number {
  return Math.round(perMillion * NANOCREDITS_PER_TOKEN);
}

/** Names of models and of unknown fields are the caller's text, so a message does not show them. */
function placeOf([, model, name]: Location): string {
  if (model === undefined) return "the object";
  if (name === undefined) return "a price";
  return AMOUNTS.some((amount) => amount === name) ? `${name} of a price` : "a field of a price";
}
