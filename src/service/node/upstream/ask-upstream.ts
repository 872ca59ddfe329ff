import { withAnySignal } from "../../../library/async/signals.ts";
import { checkJsonLimits } from "../../body/body.ts";
import { FIXED_LIMITS } from "../../handler/limits.ts";
import { failed } from "../../upstream/upstream.ts";
import type { FailureReason } from "../../handler/observation.ts";
import type { UpstreamOutcome, UpstreamRequest } from "../../upstream/upstream.ts";

/** Limits of one call of the hosted API that are no options. Tests give others. */
export const UPSTREAM_LIMITS = {
  /** Milliseconds from the call to the last byte of its reply. Clients of the hosted APIs wait for 10 seconds or longer. */
  timeoutMs: 30_000,
  /** Size of a reply, decompressed. One with 400 answers of 10 options has some 200 kB. */
  replyBytes: 1_048_576,
};
export type UpstreamLimits = typeof UPSTREAM_LIMITS;

/**
 * Asks the hosted API. Of the caller's headers, it gets `Authorization` and the request's id alone. Redirects are never followed: the key would go with them.
 * @throws `signal.reason` once the caller has gone.
 */
export async function askUpstream(request: UpstreamRequest, { timeoutMs, replyBytes }: UpstreamLimits): Promise<UpstreamOutcome> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
  }, timeoutMs);
  try {
    return await withAnySignal([request.signal, late.signal], (signal) => ask(request, signal, replyBytes));
  } catch (error) {
    request.signal.throwIfAborted();
    if (late.signal.aborted) return failed("timeout", `did not reply within ${timeoutMs / 1000} seconds`, 504);
    if (error instanceof Broken) return failed(error.reason, error.words);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A reply that cannot be used. */
class Broken extends Error {
  readonly reason: FailureReason;
  readonly words: string;

  constructor(reason: FailureReason, words: string) {
    super(words);
    this.reason = reason;
    this.words = words;
  }
}

async function ask(
  { url, body, authorization, requestId }: UpstreamRequest,
  signal: AbortSignal,
  replyBytes: number,
): Promise<UpstreamOutcome> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "x-request-id": requestId,
    ...(authorization !== null && { authorization }),
  };
  const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Broken("connection", `cannot be reached: ${codeOf(error)}`);
  });
  const { status } = response;
  try {
    if (status >= 300 && status < 400)
      throw new Broken(
        "redirect",
        `answered with a redirect (status ${status}), which is never followed: its address must be the final one`,
      );
    const text = await textOf(response, replyBytes, signal);
    const value = valueOf(text);
    if (status >= 400) {
      if (value !== undefined) return { kind: "refused", status, text, retryAfter: response.headers.get("retry-after") ?? undefined };
      // Clients go by the status: whether to send the same request again, for example.
      return failed("status", `answered with status ${status} and no JSON`, status < 500 ? status : 502);
    }
    if (status !== 200) throw new Broken("status", `answered with status ${status}`);
    if (value === undefined) throw new Broken("not_json", `answered with what is no JSON that can be read (length ${text.length})`);
    return { kind: "answered", value };
  } finally {
    // Of a body that was not read to its end, the connection is closed.
    await response.body?.cancel().catch(() => undefined);
  }
}

/** The system's word for what happened, which is no text of anybody: an error's message may quote a header. */
function codeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  const code = typeof cause?.code === "string" ? cause.code : "";
  return /^[A-Z_]{1,60}$/u.test(code) ? `the system reports ${code}` : "no connection could be made";
}

async function textOf(response: Response, replyBytes: number, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, bytes] = ["", 0];
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      signal.throwIfAborted();
      throw new Broken("cut", "broke off its reply");
    });
    try {
      text += done ? decoder.decode() : decoder.decode(value, { stream: true });
    } catch {
      await reader.cancel().catch(() => undefined);
      throw new Broken("not_json", "answered with what is no text in UTF-8");
    }
    if (done) break;
    bytes += value.length;
    if (bytes > replyBytes) {
      await reader.cancel().catch(() => undefined);
      throw new Broken("too_large", `answered with more than ${replyBytes} bytes`);
    }
  }
  reader.releaseLock();
  return text;
}

/** An object or an array; undefined for what is not JSON, is no such value, or is deeper or larger than a body of a request may be. */
function valueOf(text: string): unknown {
  try {
    checkJsonLimits(text, FIXED_LIMITS);
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
