import { DecideError } from "../../../../errors.ts";
import { LOST } from "./redis-scripts.ts";

/**
 * Errors of Redis that waiting does not cure. The others may pass: a lost connection, full memory or disk, a server that is starting or changing
 * its role.
 */
const LASTING = /^(?:WRONGTYPE|NOAUTH|WRONGPASS|NOPERM|NOPROTO)/u;

/** An error of Redis or its client as a DecideError. A DecideError is returned as it is. */
export function redisError(error: unknown): DecideError {
  if (DecideError.isInstance(error)) return error;
  if (isLost(error)) {
    const message =
      "The Redis server no longer holds these credits: its data was lost or replaced. Nothing is charged any more. Restore its data, or start again with what it holds now.";
    return new DecideError("backend_unavailable", message, { cause: error });
  }
  if (error instanceof Error && LASTING.test(error.message)) {
    const message =
      "The Redis server that holds the credits refused the command. Check the user's permissions, the server's version (6 or newer) and its keys.";
    return new DecideError("backend_unavailable", message, { cause: error });
  }
  const message =
    "The Redis server that holds the credits cannot be reached or cannot write at the moment. Try again, and check the server.";
  return new DecideError("backend_unavailable", message, { cause: error, retryable: true });
}

/** Whether a script found that this Redis does not hold the ledger that was opened. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(LOST);
}
