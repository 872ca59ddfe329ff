import { APICallError } from "@ai-sdk/provider";
import type { DecideError } from "umpire";

/**
 * The error of a provider's service in the AI SDK, which calls again when it is retryable. `data` says what was wrong, as `code` and `issues`;
 * `requestBodyValues` has the model's id alone: an error holds no text of the caller's.
 */
export function toApiCallError(cause: DecideError, modelId: string): APICallError {
  const { message, code, status, retryable, issues, retryAfterSeconds } = cause;
  return new APICallError({
    message,
    url: "umpire:decide",
    requestBodyValues: { model: modelId },
    statusCode: status,
    isRetryable: retryable,
    data: { code, issues },
    cause,
    ...(retryAfterSeconds !== undefined && { responseHeaders: { "retry-after": String(retryAfterSeconds) } }),
  });
}
