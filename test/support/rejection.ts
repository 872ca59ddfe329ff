import fc from "fast-check";
import { DecideError } from "umpire";
import { DecideError as SourceDecideError } from "../../src/errors.ts";

/** What a call threw or its promise was rejected with; fails when it succeeded. */
export async function rejection(call: () => unknown): Promise<unknown> {
  let value: unknown;
  try {
    value = await call();
  } catch (error) {
    return error;
  }
  throw new Error(`expected a failure, but there was an answer: ${fc.stringify(value).slice(0, 300)}`);
}

/** What a DecideError tells, of whichever copy of the class it is. */
export type Failure = Error & Pick<DecideError, "code" | "status" | "retryable" | "issues">;

/** The DecideError that a call fails with, of the built package or of its source; anything else fails the test. */
export async function decideError(call: () => unknown): Promise<Failure> {
  const error = await rejection(call);
  if (error instanceof DecideError || error instanceof SourceDecideError) return error;
  throw new Error("expected a DecideError", { cause: error });
}
