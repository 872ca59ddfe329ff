import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { ToolError } from "../../tool-error.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Which hub, as the environment says: the variables of the hub's own tools. */
export interface HubSettings {
  /** Without a slash at its end. */
  readonly endpoint: string;
  /** The endpoint's host, for messages. */
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

/** @throws {ToolError} if a variable cannot be used */
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
  const kept =
    given ??
    (await readFile(file, "utf8").catch((error: unknown) => {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return "";
      throw new ToolError(`The file ${file} with the hub's token cannot be read (${code}). Make it readable, or set HF_TOKEN.`);
    }));
  const [text, origin] = [kept.trim(), given === undefined ? file : "HF_TOKEN"];
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

/** @throws {ToolError} */
export function checkModelName(model: string): void {
  if (MODEL.test(model)) return;
  throw new ToolError(
    "A model of a hub is named org/name: two parts of letters, digits, -, _ and ., without -- and .. in them. Copy the name from the model's page.",
  );
}

/** @throws {ToolError} */
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
