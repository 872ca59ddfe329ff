import { DecideError } from "../../errors.ts";

/** @param why completes "The service is overloaded: ..." @param afterMs when trying again may help */
export function overloaded(why: string, afterMs: number): DecideError {
  const retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  const message = `The service is overloaded: ${why}. Try again in ${retryAfterSeconds} s.`;
  return new DecideError("overloaded", message, { retryAfterSeconds });
}
