import { whenAborted } from "../../../library/async/signals.ts";
import { version } from "../../../version.ts";
import { AddingFailed } from "../adding-failed.ts";
import type { HubContext } from "./context.ts";
import { MOST_SILENCE_MS } from "./patience.ts";
import { refusalOf } from "./refusals.ts";
import { Interrupted } from "./tries.ts";

const MOST_REDIRECTS = 10;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface HubRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request, and follows redirects. The hub's token goes to the hub alone, and nothing goes from https to http.
 * @param read is given the response, if it is a success, and its body
 * @throws {Interrupted} if it may work the next time
 * @throws {AddingFailed} if the request is refused
 */
export async function request<T>(
  context: HubContext,
  { url, headers = {}, signal }: HubRequest,
  read: (response: Response, body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const stop =
    signal &&
    whenAborted(signal, () => {
      ending.abort(signal.reason);
    });
  const silence = context.patience.listen(() => {
    ending.abort(
      new Interrupted(`${context.settings.host} sent nothing for ${MOST_SILENCE_MS / 1000} s.`, { advice: adviceOffline(context) }),
    );
  });
  try {
    const { response, fromHub } = await follow(context, url, headers, ending.signal, silence.heard);
    // 416 is an answer to a range: `read` then starts anew.
    if (!response.ok && !(response.status === 416 && "range" in headers)) throw refusalOf(response, fromHub, context);
    return await read(response, bodyOf(response, context, ending.signal, silence.heard));
  } finally {
    stop?.();
    silence.end();
    // Ends a body that nobody read to its end.
    ending.abort();
  }
}

async function follow(
  context: HubContext,
  start: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  heard: () => void,
): Promise<{ response: Response; fromHub: boolean }> {
  const { endpoint, host, token } = context.settings;
  let url = nextUrl(start, endpoint, host);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const fromHub = url.origin === new URL(endpoint).origin;
    const init: RequestInit = {
      // By hand: fetch would follow to http, too.
      redirect: "manual",
      headers: { "user-agent": `umpire/${version}`, ...headers, ...(fromHub && token && { authorization: `Bearer ${token.text}` }) },
      signal,
    };
    const response = await context.fetch(url, init).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : unreachable(error, context);
    });
    heard();
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) return { response, fromHub };
    await response.body?.cancel();
    url = nextUrl(location, url, host);
  }
  throw new AddingFailed(`${host} redirects without an end. Check that HF_ENDPOINT is the address of a model hub.`);
}

function nextUrl(address: string, from: string | URL, host: string): URL {
  const url = URL.canParse(address, from) ? new URL(address, from) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && new URL(from).protocol === "http:")) return url;
  throw new AddingFailed(
    `${host} redirects to an address without https, which is not safe to follow. Nothing was sent there; tell those who run ${host}.`,
  );
}

async function* bodyOf(
  { body }: Response,
  context: HubContext,
  signal: AbortSignal,
  heard: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal.aborted ? signal.reason : unreachable(error, context);
      });
      if (done) return;
      heard();
      yield value;
    }
  } finally {
    // A body that failed cannot be cancelled, and needs not to be.
    await reader.cancel().catch(() => undefined);
  }
}

function unreachable(error: unknown, context: HubContext): AddingFailed | Interrupted {
  const { host } = context.settings;
  const code = codeOf(error);
  if (/CERT|SIGNED|SIGNATURE/.test(code)) {
    return new AddingFailed(
      `The certificate of ${host} is not one that Node trusts (${code}). If your network has its own, name its file in NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  }
  const broke = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(code);
  const what = broke ? `The connection to ${host} broke off` : `${host} cannot be reached`;
  return new Interrupted(`${what} (${code}).`, { advice: adviceOffline(context), cause: error });
}

/** fetch() says only that it failed; the reason is in the cause. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return cause instanceof Error ? codeOf(cause) : "no reason given";
}

function adviceOffline({ unusedProxy }: HubContext): string {
  return unusedProxy
    ? "A proxy is set in the environment, but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 22.21 or 24 on. Set that, and run the command again."
    : "Check the network and HF_ENDPOINT, and run the command again: what has been downloaded is kept. HF_HUB_OFFLINE=1 uses what the cache has.";
}
