import fc from "fast-check";
import { DecideError } from "../../src/errors.ts";

/** Returns what a call threw or its promise rejected with. Fails if the call succeeded. */
export async function rejection(call: () => unknown): Promise<unknown> {
  let value: unknown;
  try {
    value = await call();
  } catch (error) {
    return error;
  }
  throw new Error(`expected a failure, but there was an answer: ${fc.stringify(value).slice(0, 300)}`);
}

/** A DecideError of any copy of the class. */
export type Failure = DecideError;

/** Returns the DecideError of a failing call, from the built package or its source. Anything else fails the test. */
export async function decideError(call: () => unknown): Promise<Failure> {
  const error = await rejection(call);
  if (DecideError.isInstance(error)) return error;
  throw new Error("expected a DecideError", { cause: error });
}
