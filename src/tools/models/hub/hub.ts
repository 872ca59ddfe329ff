import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unlessMissing, whyUnreadable } from "../../../files/system-errors.ts";
import { ToolError } from "../../tool-error.ts";
import { version } from "../../../version.ts";

export type Env = Readonly<Record<string, string | undefined>>;

interface HubSettings {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly host: string;
  /** `origin` is for messages: `HF_TOKEN`, or the file that it was read from. */
  readonly token?: { readonly text: string; readonly origin: string };
  /** Nothing is asked of the network; only what is in the cache is used. */
  readonly offline: boolean;
  /** Shared with the hub's own tools, which may be written in other languages. */
  readonly cacheFolder: string;
  /** True if the environment names a proxy that this Node does not use. */
  readonly unusedProxy: boolean;
}

const PUBLIC_HUB = "https://huggingface.co";
/** Characters that fit into a header. Node would quote any other token in its message. */
const TOKEN = /^[\x21-\x7e]+$/;

export async function readHubSettings(env: Env): Promise<HubSettings> {
  // An empty variable is one that is not set.
  const valueOf = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === "" ? undefined : value;
  };
  const folderOf = (name: string): string | undefined => valueOf(name)?.replace(/^~(?=$|[/\\])/, homedir());
  const home = folderOf("HF_HOME") ?? join(folderOf("XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "huggingface");
  const endpoint = readEndpoint(valueOf("HF_ENDPOINT") ?? PUBLIC_HUB);
  const token = await readToken(valueOf("HF_TOKEN"), folderOf("HF_TOKEN_PATH") ?? join(home, "token"));
  const namesProxy = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => env[name]);
  return {
    endpoint,
    host: new URL(endpoint).host,
    ...(token !== undefined && { token }),
    offline: /^(?:1|on|yes|true)$/iu.test(env["HF_HUB_OFFLINE"] ?? ""),
    cacheFolder: folderOf("HF_HUB_CACHE") ?? folderOf("HUGGINGFACE_HUB_CACHE") ?? join(home, "hub"),
    unusedProxy: namesProxy && !(env["NODE_USE_ENV_PROXY"] === "1" && process.allowedNodeEnvironmentFlags.has("--use-env-proxy")),
  };
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "")
    throw new ToolError(
      "HF_ENDPOINT is not the address of a model hub. Set it to one such as https://hub.example, without a user, a password or a query, or unset it.",
    );
  return url.href.replace(/\/+$/, "");
}

async function readToken(given: string | undefined, file: string): Promise<HubSettings["token"]> {
  const readKept = (): Promise<string | undefined> =>
    unlessMissing(readFile(file, "utf8")).catch((error: unknown) => {
      throw new ToolError(`The file ${file} with the hub's token cannot be read: ${whyUnreadable(error)}. Make it readable, or set HF_TOKEN.`);
    });
  const [text, origin] = given === undefined ? [(await readKept())?.trim() ?? "", file] : [given, "HF_TOKEN"];
  if (text === "") return undefined;
  if (TOKEN.test(text)) return { text, origin };
  throw new ToolError(`${origin} holds characters that no token has, such as spaces. Copy the token anew.`);
}

/** `org/name`: each part of at most 96 letters, digits, `-`, `_` and `.`. */
const MODEL = /^(?!.*(?:--|\.\.))\w(?:[\w.-]{0,94}\w)?\/\w(?:[\w.-]{0,94}\w)?$/;
/** A name that git allows for a branch or a tag, and a file system for a file. */
const REVISION = /^[^\p{Cc}\s~^:?*[\\<>|"-][^\p{Cc}\s~^:?*[\\<>|"]{0,199}$/u;
/** Of a file's name in UTF-8. Most file systems take no more. */
const MOST_NAME_BYTES = 255;
const MOST_PATH_CHARACTERS = 1000;

export function checkModelName(model: string): void {
  if (MODEL.test(model)) return;
  throw new ToolError(
    "A model of a hub is named org/name: two parts of letters, digits, -, _ and ., without -- and .. in them. Copy the name from the model's page.",
  );
}

export function checkRevision(revision: string): void {
  if (REVISION.test(revision) && isSafePath(revision)) return;
  throw new ToolError("The revision is not the name of a branch, a tag or a commit. Copy it from the model's page, or leave it out.");
}

/**
 * Whether a path from a server stays inside the folder that it is joined to, on every system: relative, with forward slashes, without `..`, and
 * without what Windows reads as a drive or a stream.
 */
export function isSafePath(path: string): boolean {
  return (
    path.length <= MOST_PATH_CHARACTERS &&
    !/[\p{Cc}\\:]/u.test(path) &&
    path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && Buffer.byteLength(name) <= MOST_NAME_BYTES)
  );
}

const PAUSES_MS = [1000, 2000, 4000];
/** A server that asks for more is not waited for. */
const MOST_PAUSE_MS = 60_000;
const MOST_SILENCE_MS = 30_000;

export interface Hub {
  readonly model: string;
  readonly settings: HubSettings;
  readonly fetch?: typeof globalThis.fetch;
  /** Told of what goes wrong and is tried again, or is left out: a sentence for people. */
  readonly onNotice: (sentence: string) => void;
  /** Waits between tries. Default: by the clock. @throws `signal.reason` once the signal is aborted */
  readonly pause?: ((pauseMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Default: 30,000 */
  readonly silenceMs?: number;
}

/** A connection that broke, or a server with too much to do: the next try may succeed. The message is a sentence. */
export class Interrupted extends Error {
  readonly advice: string;
  /** How long the server wants to be left alone. */
  readonly pauseMs: number;

  constructor(message: string, advice: string, { pauseMs = 0, cause }: { pauseMs?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.advice = advice;
    this.pauseMs = pauseMs;
  }
}

/**
 * Runs a task again, after a pause, when it was interrupted.
 * @param task is given a function that says it came further, so that failures are counted anew
 * @throws {ToolError} after the last try
 */
export async function withTries<T>(
  { onNotice, pause = pauseByClock }: Hub,
  task: (cameFurther: () => void) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let failures = 0;
  for (;;) {
    try {
      return await task(() => (failures = 0));
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      const leastMs = PAUSES_MS[failures++];
      if (leastMs === undefined || error.pauseMs > MOST_PAUSE_MS) throw new ToolError(`${error.message} ${error.advice}`, { cause: error });
      const pauseMs = Math.max(leastMs, error.pauseMs);
      onNotice(`${error.message} Trying again in ${pauseMs / 1000} s.`);
      await pause(pauseMs, signal);
    }
  }
}

async function pauseByClock(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(pauseMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}

/**
 * Sends one request. The hub's token goes to the hub alone: where it redirects to another server, `fetch` leaves it out.
 * @param read is given the response, if it is a success or says that there is no such range, and its body
 * @throws {Interrupted} if it may work the next time
 * @throws {ToolError} if the request is refused
 */
export async function request<T>(
  hub: Hub,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  read: (response: Response, body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const { settings, fetch = globalThis.fetch, silenceMs = MOST_SILENCE_MS } = hub;
  const { host, token } = settings;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const ended = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  const silence = setTimeout(() => {
    ending.abort(new Interrupted(`${host} sent nothing for ${silenceMs / 1000} s.`, adviceOffline(settings)));
  }, silenceMs);
  const failed = (error: unknown): unknown => (ended.aborted ? ended.reason : unreachable(error, settings));
  async function* heard({ body }: Response): AsyncGenerator<Uint8Array, void, void> {
    try {
      for await (const part of body ?? []) {
        silence.refresh();
        yield part;
      }
    } catch (error) {
      throw failed(error);
    }
  }
  try {
    const authorization = isOfHub(url, settings) && token && { authorization: `Bearer ${token.text}` };
    const response = await fetch(url, {
      headers: { "user-agent": `umpire/${version}`, ...headers, ...authorization },
      signal: ended,
    }).catch((error: unknown) => {
      throw failed(error);
    });
    silence.refresh();
    if (settings.endpoint.startsWith("https:") && !response.url.startsWith("https:")) 
      throw new ToolError(
        `${host} redirects to an address without https, which is not safe. Nothing that came from there is used; tell those who run ${host}.`,
      );
    // 416 is an answer to a range: `read` then starts anew.
    if (!response.ok && !(response.status === 416 && "range" in headers)) throw refusalOf(response, hub);
    return await read(response, heard(response));
  } finally {
    clearTimeout(silence);
    // Ends a body that nobody read to its end.
    ending.abort();
  }
}

function isOfHub(url: string, { endpoint }: HubSettings): boolean {
  return new URL(url).origin === new URL(endpoint).origin;
}

function unreachable(error: unknown, settings: HubSettings): ToolError | Interrupted {
  const { host } = settings;
  const [code, text] = whyOf(error);
  if (/CERT|SIGNED|SIGNATURE/.test(code))
    return new ToolError(
      `The certificate of ${host} is not one that Node trusts (${code}). If your network has its own, name its file in NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  // The platform's words for a redirect without an end, or to what is no address of the web.
  if (/^(?:redirect|URL scheme|Invalid URL)/u.test(text))
    return new ToolError(`${host} redirects to where no answer is. Check that HF_ENDPOINT is the address of a model hub.`, {
      cause: error,
    });
  const broke = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(code);
  const what = broke ? `The connection to ${host} broke off` : `${host} cannot be reached`;
  return new Interrupted(`${what} (${code}).`, adviceOffline(settings), { cause: error });
}

/** fetch() says only that it failed; the reason is in the cause. */
function whyOf(error: unknown): [code: string, text: string] {
  const { code, cause, message } = error as { code?: unknown; cause?: unknown; message: string };
  if (cause instanceof Error) return whyOf(cause);
  return [typeof code === "string" ? code : "no reason given", message];
}

function adviceOffline({ unusedProxy }: HubSettings): string {
  return unusedProxy
    ? "A proxy is set in the environment, but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 22.21 or 24 on. Set that, and run the command again."
    : "Check the network and HF_ENDPOINT, and run the command again: files that are whole are kept. HF_HUB_OFFLINE=1 uses what the cache has.";
}

const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** A status other than success, with what to do about it. The hub's code of the error is in a header. */
function refusalOf({ status, headers, url }: Response, { model, settings }: Hub): ToolError | Interrupted {
  const { host, endpoint, token } = settings;
  const page = `${endpoint}/${model}`;
  const code = headers.get("x-error-code") ?? "";
  if (PASSING.has(status)) {
    const what = status === 429 ? "gets too many requests from here" : "does not work at the moment";
    const pauseMs = 1000 * Number(headers.get("retry-after") ?? 0) || 0;
    return new Interrupted(`${host} ${what} (${status}).`, "Run the command again later: files that are whole are kept.", { pauseMs });
  }
  // Addresses of files on other servers are good for a while only, and the hub makes new ones.
  if (!isOfHub(url, settings))
    return new Interrupted(`The server that ${host} redirects to refuses the file (${status}).`, "Run the command again later.");
  if (code === "GatedRepo" || (status === 403 && code === "")) {
    const account = token ? `see that the token from ${token.origin} may read it` : "set HF_TOKEN to a token of your account there";
    return new ToolError(`${host} gives ${model} only to people who accept its terms (${status}). Accept them on ${page}, and ${account}.`);
  }
  if (code === "RevisionNotFound")
    return new ToolError(`${model} has no such revision on ${host}. Give a branch, a tag or a commit that ${page}/tree/main lists.`);
  if (code === "EntryNotFound")
    return new ToolError(
      `${host} lists a file of ${model} that it does not have (${status}). Try another revision, or report it on ${page}.`,
    );
  if (status === 401 && code === "" && token)
    return new ToolError(
      `${host} refuses the token from ${token.origin} (401). Make a new one in your account there, or unset it for a public model.`,
    );
  if (status === 401 || status === 404) {
    const access = token ? `the token from ${token.origin} must be one that may read it` : "set HF_TOKEN to a token that may read it";
    return new ToolError(`${host} has no model ${model}, or it is private (${status}). Check the name; for a private one ${access}.`);
  }
  return new ToolError(
    `${host} refuses the request (${status}). Check that HF_ENDPOINT is the address of a model hub, or try again later.`,
  );
}
