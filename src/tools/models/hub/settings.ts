import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { AddingFailed } from "../adding-failed.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Which hub, as the environment says: the variables of the hub's own tools. */
export interface HubSettings {
  /** Without a slash at its end. */
  readonly endpoint: string;
  /** The endpoint's host, for messages. */
  readonly host: string;
  readonly token?: HubToken;
  /** Nothing is asked of the network; only what is in the cache is used. */
  readonly offline: boolean;
  /** Shared with the hub's own tools, which may be written in other languages. */
  readonly cacheFolder: string;
}

export interface HubToken {
  readonly text: string;
  /** For messages: `HF_TOKEN`, or the file that it was read from. */
  readonly origin: string;
}

const PUBLIC_HUB = "https://huggingface.co";
/** What fits into a header. Node would quote any other token in its message. */
const TOKEN = /^[\x21-\x7e]+$/;
const TRUE = new Set(["1", "ON", "YES", "TRUE"]);

/** @throws {AddingFailed} if a variable cannot be used */
export async function readHubSettings(env: Env): Promise<HubSettings> {
  const home = folderOf(env, "HF_HOME") ?? join(folderOf(env, "XDG_CACHE_HOME") ?? join(homedir(), ".cache"), "huggingface");
  const endpoint = readEndpoint(valueOf(env, "HF_ENDPOINT") ?? PUBLIC_HUB);
  const token = await readToken(env, folderOf(env, "HF_TOKEN_PATH") ?? join(home, "token"));
  return {
    endpoint,
    host: new URL(endpoint).host,
    ...(token !== undefined && { token }),
    offline: TRUE.has((env["HF_HUB_OFFLINE"] ?? "").toUpperCase()),
    cacheFolder: folderOf(env, "HF_HUB_CACHE") ?? folderOf(env, "HUGGINGFACE_HUB_CACHE") ?? join(home, "hub"),
  };
}

/** An empty variable is one that is not set. */
function valueOf(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

function folderOf(env: Env, name: string): string | undefined {
  return valueOf(env, name)?.replace(/^~(?=$|[/\\])/, homedir());
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    throw new AddingFailed(
      "HF_ENDPOINT is not the address of a model hub. Set it to one such as https://hub.example, without a user, a password or a query, or unset it.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

async function readToken(env: Env, file: string): Promise<HubToken | undefined> {
  const given = valueOf(env, "HF_TOKEN");
  if (given !== undefined) return checkToken({ text: given, origin: "HF_TOKEN" });
  const kept = await readFile(file, "utf8").catch((error: unknown) => {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "";
    throw new AddingFailed(`The file ${file} with the hub's token cannot be read (${code}). Make it readable, or set HF_TOKEN.`);
  });
  return kept.trim() === "" ? undefined : checkToken({ text: kept.trim(), origin: file });
}

function checkToken(token: HubToken): HubToken {
  if (TOKEN.test(token.text)) return token;
  throw new AddingFailed(`${token.origin} holds characters that no token has, such as spaces. Copy the token anew.`);
}
