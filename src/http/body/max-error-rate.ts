import type { Field } from "../../validation/field.ts";
import { isNumber } from "../../validation/number-field.ts";
import { numberBetween } from "../../validation/rules.ts";

const A_RATE = numberBetween(0, 1);

/** The error rate that a client accepts of the answers it acts on; undefined if the body names none. If it is not valid, an issue. */
export function readMaxErrorRate(body: Field): number | undefined {
  const rate = body.get("x_max_error_rate");
  if (rate.isMissing || rate.value === null) return undefined;
  return isNumber(rate, A_RATE.words) && rate.keeps(A_RATE) ? Number(rate.value) : undefined;
}
