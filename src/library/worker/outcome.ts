import { fromPlainError, toPlainError } from "../../errors.ts";
import type { PlainError } from "../../errors.ts";

/** The result of a call in the worker, as plain data: structured cloning would strip an error of its code, issues and cause. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: PlainError };

export async function outcomeOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: toPlainError(error) };
  }
}

/** @throws {DecideError} the error that the outcome holds */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw fromPlainError(outcome.error);
}
