import { DecideError } from "../../errors.ts";

/**
 * The error for a body that is no JSON text. Its status is 400, which tells it from a request that breaks a rule; on the vendor's path it becomes 422.
 * @param msg what is wrong, for example `is not JSON: it cannot be parsed`
 */
export function unreadableBody(message: string, msg: string, cause?: unknown): DecideError {
  return new DecideError("invalid_request", message, { status: 400, issues: [{ loc: ["body"], msg, type: "not_json" }], cause });
}
