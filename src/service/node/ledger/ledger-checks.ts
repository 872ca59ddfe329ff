import { DecideError } from "../../../errors.ts";
import { KEY_NAME } from "../../auth/check-keys.ts";
import { MAX_NANOCREDITS } from "../../billing/credits.ts";
import type { Charge, HoldRequest } from "../../billing/credits.ts";
import { Field } from "../../../library/validation/field.ts";
import { firstOf } from "../../../library/validation/invalid.ts";
import { matching, wholeNumber } from "../../../library/validation/rules.ts";

const ACCOUNT = matching(KEY_NAME, "the name of a key: 1 to 64 letters, digits, dots, underscores or hyphens");
const TOP_UP = wholeNumber(1, MAX_NANOCREDITS);
const NOTE = matching(/^\P{Cc}{0,200}$/u, "at most 200 characters, without line breaks or other control characters");
const COUNT = wholeNumber(0);

/** @throws {DecideError} `invalid_request` with an issue for each invalid argument of a top-up. */
export function checkTopUp(account: string, nanocredits: number, note: string | undefined): void {
  const topUp = new Field({ account, nanocredits, note }, ["topUp"]);
  topUp.get("account").keeps(ACCOUNT);
  topUp.get("nanocredits").keeps(TOP_UP);
  topUp.get("note").mayKeep(NOTE);
  const { issues } = topUp;
  if (issues.length === 0) return;
  const first = firstOf(issues, (loc) => String(loc.at(-1)));
  throw new DecideError("invalid_request", `The top-up is not valid: ${first}.`, { issues });
}

/** @throws {DecideError} `internal`: the handler makes charges, so an invalid one is our mistake. */
export function checkCharge({ nanocredits, inputTokens, outputTokens }: Charge): void {
  if (![nanocredits, inputTokens, outputTokens].every(COUNT.isKept))
    throw new DecideError("internal", "The tokens and nanocredits of a charge must be whole numbers, 0 or more.");
}

/** @throws {DecideError} `internal`, as for charges. */
export function checkHold({ nanocredits, leaseMs }: HoldRequest): void {
  if (![nanocredits, leaseMs].every(COUNT.isKept))
    throw new DecideError("internal", "The nanocredits and milliseconds of a hold must be whole numbers, 0 or more.");
}

/** @throws {DecideError} `invalid_request` if an account would hold more than can be counted exactly. */
export function checkBalance(balanceAfter: number): void {
  if (balanceAfter > MAX_NANOCREDITS)
    throw new DecideError("invalid_request", "An account can hold at most 9,007,199.254740991 credits; nothing was added.");
}
