import { MAX_NANOCREDITS, NANOCREDITS_PER_CREDIT } from "../../../service/billing/credits.ts";
import { badInput } from "../../tool-error.ts";

const DECIMALS = 9;
const AMOUNT = /^\d{1,7}(?:\.\d{1,9})?$/u;

/** Reads an amount of credits as nanocredits, without rounding. @throws {ToolError} unless it is a number within the limits. */
export function nanocreditsFrom(text: string): number {
  const nanocredits = AMOUNT.test(text) ? toNanocredits(text) : 0n;
  if (nanocredits < 1n || nanocredits > BigInt(MAX_NANOCREDITS))
    throw badInput(
      `Credits must be a number above 0, like 250 or 12.5: at most ${creditsText(MAX_NANOCREDITS)}, with at most ${DECIMALS} decimals.`,
    );
  return Number(nanocredits);
}

/** Nanocredits as credits, exactly and without trailing zeros: "-0.0001584". */
export function creditsText(nanocredits: number): string {
  const digits = Math.abs(nanocredits)
    .toString()
    .padStart(DECIMALS + 1, "0");
  const decimals = digits.slice(-DECIMALS).replace(/0+$/u, "");
  return `${nanocredits < 0 ? "-" : ""}${digits.slice(0, -DECIMALS)}${decimals === "" ? "" : `.${decimals}`}`;
}

function toNanocredits(text: string): bigint {
  const [whole = "", decimals = ""] = text.split(".");
  return BigInt(whole) * BigInt(NANOCREDITS_PER_CREDIT) + BigInt(decimals.padEnd(DECIMALS, "0"));
}
