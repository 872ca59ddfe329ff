import { APICallError } from "@ai-sdk/provider";
import type { DecideError } from "umpire";

/**
 * Makes the AI SDK's error of a failed call; the SDK retries the call if `isRetryable` is true. `data` has `code`, `issues` and `issuesLeftOut`. `requestBodyValues` has the
 * model's id only, because errors never contain the caller's text.
 */
export function toApiCallError(cause: DecideError, modelId: string): APICallError {
  const { message, code, status, retryable, issues, issuesLeftOut, retryAfterSeconds } = cause;
  return new APICallError({
    message,
    url: "umpire:decide",
    requestBodyValues: { model: modelId },
    statusCode: status,
    isRetryable: retryable,
    data: { code, issues, issuesLeftOut },
    cause,
    ...(retryAfterSeconds !== undefined && { responseHeaders: { "retry-after": String(retryAfterSeconds) } }),
  });
}
