import { withAnySignal } from "../../../library/async/signals.ts";
import { checkJsonLimits } from "../../body/body.ts";
import { FIXED_LIMITS } from "../../handler/limits.ts";
import type { FailureReason } from "../../handler/observation.ts";

/** Limits of one call of the hosted API that are no options. Tests give others. */
export const UPSTREAM_LIMITS = {
  /** Milliseconds from the call to the last byte of its reply. Clients of the hosted APIs wait for 10 seconds or longer. */
  timeoutMs: 30_000,
  /** Size of a reply, decompressed. One with 400 answers of 10 options has some 200 kB. */
  replyBytes: 1_048_576,
};
export type UpstreamLimits = typeof UPSTREAM_LIMITS;

interface UpstreamRequest {
  readonly url: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The caller's own `Authorization`. */
  readonly authorization: string | null;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Answers, with status 200; or an error of the hosted API's own, to be passed on as it is. */
interface HostedReply {
  readonly status: number;
  readonly text: string;
  /** The text as JSON: an object or an array. */
  readonly value: unknown;
  readonly retryAfter: string | null;
}

/** The hosted API gave no reply that can be used. The message is for the caller: it holds neither a key nor a text of the reply. */
export class Broken extends Error {
  readonly reason: FailureReason;
  readonly status: number;

  /** @param words after "The hosted API" */
  constructor(reason: FailureReason, words: string, status = 502) {
    super(`The hosted API behind this service ${words}. Try again; if that does not help, tell the operator of this service.`);
    this.reason = reason;
    this.status = status;
  }
}

/**
 * Asks the hosted API. Of the caller's headers, it gets `Authorization` and the request's id alone. Redirects are never followed: the key would go with them.
 * @throws {Broken}
 * @throws `signal.reason` once the caller has gone.
 */
export async function askUpstream(request: UpstreamRequest, { timeoutMs, replyBytes }: UpstreamLimits): Promise<HostedReply> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await withAnySignal([request.signal, late], (signal) => ask(request, signal, replyBytes));
  } catch (error) {
    request.signal.throwIfAborted();
    throw late.aborted ? new Broken("timeout", `did not reply within ${timeoutMs / 1000} seconds`, 504) : error;
  }
}

async function ask(
  { url, body, authorization, requestId }: UpstreamRequest,
  signal: AbortSignal,
  replyBytes: number,
): Promise<HostedReply> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "x-request-id": requestId,
    ...(authorization !== null && { authorization }),
  };
  const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" }).catch((error: unknown) => {
    throw new Broken("connection", `cannot be reached: ${codeOf(error)}`);
  });
  const { status } = response;
  try {
    if (status >= 300 && status < 400)
      throw new Broken(
        "redirect",
        `answered with a redirect (status ${status}), which is never followed: its address must be the final one`,
      );
    const text = await textOf(response, replyBytes);
    const value = valueOf(text);
    // Clients go by the status: whether to send the same request again, for example.
    if (status >= 400 && value === undefined)
      throw new Broken("status", `answered with status ${status} and no JSON`, status < 500 ? status : 502);
    if (status < 400 && status !== 200) throw new Broken("status", `answered with status ${status}`);
    if (value === undefined) throw new Broken("not_json", `answered with what is no JSON that can be read (length ${text.length})`);
    return { status, text, value, retryAfter: response.headers.get("retry-after") };
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

async function textOf({ body }: Response, replyBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Broken("not_json", "answered with what is no text in UTF-8");
    }
  };
  let [text, sizeBytes] = ["", 0];
  try {
    for await (const bytes of body ?? []) {
      text += decoded(bytes);
      sizeBytes += bytes.length;
      if (sizeBytes > replyBytes) throw new Broken("too_large", `answered with more than ${replyBytes} bytes`);
    }
    return text + decoded();
  } catch (error) {
    throw error instanceof Broken ? error : new Broken("cut", "broke off its reply");
  }
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
