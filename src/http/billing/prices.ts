import { DecideError } from "../../errors.ts";
import type { Issue } from "../../errors.ts";
import { isPlainObject, shapeOf } from "../../validation/shape.ts";
import type { Usage } from "../../decide/types.ts";
import { MAX_NANOCREDITS } from "./credits.ts";
import type { Price, Prices } from "./credits.ts";

/** Above it, the cost of a long request would be no exact number. */
const MAX_PER_MILLION = 1_000_000;

/** A credit for a million tokens is so many nanocredits for one token. */
const NANOCREDITS_PER_TOKEN = 1000;

/** The price of every model that is not named. */
const ANY_MODEL = "*";

const FIELDS = ["inputPerMillion", "outputPerMillion"] as const;

/**
 * Prices as they stand in a configuration: `{"umpire-2": {"inputPerMillion": 0.1, "outputPerMillion": 0.4}, "*": …}`.
 *
 * @throws DecideError `invalid_request` with every issue: a price is a number from 0 to 1,000,000 with three decimals at most.
 */
export function parsePrices(value: unknown): Prices {
  if (!isPlainObject(value)) refuse([issue([], `must be an object of prices by model, and is ${shapeOf(value)}`, "wrong_type")]);
  const entries = Object.entries(value);
  if (entries.length === 0) refuse([issue([], `must name a model, or "${ANY_MODEL}" for all, and is empty`, "too_few")]);
  const issues = entries.flatMap(([model, price]) => issuesOf(model, price));
  if (issues.length > 0) refuse(issues);
  return value as Prices;
}

/** The model's own price, or that of `"*"`; undefined where there is neither. */
export function priceOf(prices: Prices, model: string): Price | undefined {
  for (const name of [model, ANY_MODEL]) if (Object.hasOwn(prices, name)) return prices[name];
  return undefined;
}

/**
 * What a call costs: whole nanocredits, exact.
 *
 * @throws DecideError `insufficient_credits` when it is more than any account can hold.
 */
export function costOf(usage: Usage, price: Price): number {
  const cost = usage.input_tokens * perToken(price.inputPerMillion) + usage.output_tokens * perToken(price.outputPerMillion);
  if (cost > MAX_NANOCREDITS) throw new DecideError("insufficient_credits", "The call costs more credits than an account can hold.");
  return cost;
}

function perToken(perMillion: number): number {
  return Math.round(perMillion * NANOCREDITS_PER_TOKEN);
}

function issuesOf(model: string, price: unknown): Issue[] {
  if (!isPlainObject(price))
    return [issue([model], `must be an object with ${FIELDS.join(" and ")}, and is ${shapeOf(price)}`, "wrong_type")];
  const unknown = Object.keys(price).filter((name) => !FIELDS.some((field) => field === name));
  return [
    ...FIELDS.flatMap((field) => issuesOfAmount([model, field], price[field])),
    ...unknown.map((name) => issue([model, name], `is no part of a price, which has ${FIELDS.join(" and ")}`, "unknown_field")),
  ];
}

function issuesOfAmount(path: readonly string[], amount: unknown): Issue[] {
  if (amount === undefined) return [issue(path, "is missing: credits for a million tokens", "missing")];
  if (typeof amount !== "number") return [issue(path, `must be a number, and is ${shapeOf(amount)}`, "wrong_type")];
  if (!(amount >= 0 && amount <= MAX_PER_MILLION)) return [issue(path, "must be from 0 to 1,000,000 credits", "unknown_value")];
  if (perToken(amount) / NANOCREDITS_PER_TOKEN !== amount) return [issue(path, "may have three decimals at most", "unknown_value")];
  return [];
}

function issue(path: readonly string[], msg: string, type: Issue["type"]): Issue {
  return { loc: ["prices", ...path], msg, type };
}

function refuse(issues: readonly Issue[]): never {
  const count = issues.length === 1 ? "1 issue" : `${issues.length} issues`;
  throw new DecideError("invalid_request", `The prices are not valid: ${count}; \`issues\` says which.`, { issues });
}
