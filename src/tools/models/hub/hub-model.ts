import { AddingFailed } from "../adding-failed.ts";
import type { ModelSource } from "../source.ts";
import { HubCache } from "./cache.ts";
import { openCachedModel } from "./cached-model.ts";
import type { DownloadProgress, HubContext } from "./context.ts";
import { checkModelName, checkRevision } from "./names.ts";
import { openOnlineModel } from "./online-model.ts";
import { realPatience } from "./patience.ts";
import type { Patience } from "./patience.ts";
import { readHubSettings } from "./settings.ts";
import type { Env } from "./settings.ts";

export interface HubModelOptions {
  /** A branch, a tag or a commit. Default: `main`. */
  readonly revision?: string | undefined;
  /** The environment's variables: `HF_ENDPOINT`, `HF_TOKEN`, `HF_TOKEN_PATH`, `HF_HUB_OFFLINE`, `HF_HOME`, `HF_HUB_CACHE`. */
  readonly env: Env;
  /** Called for each part of a file that comes, and once for a file that the cache has. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Called with a sentence for people where something goes wrong that is then tried again, or is left out. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** Ends the opening. `fetch()` takes one of its own. */
  readonly signal?: AbortSignal | undefined;
  /** Waits between tries and for silent servers. Default: by the clock. */
  readonly patience?: Patience;
  /** Default: Node's. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A model of a hub. Its revision is resolved to a commit once, and all files are those of that commit. A file is downloaded when it is fetched, into the
 * cache that all tools of the hub share, where it is a link to its blob; the digest of each is checked.
 * @param model `org/name`
 * @throws {AddingFailed}
 * @throws `signal.reason` once the signal is aborted
 */
export async function openHubModel(model: string, options: HubModelOptions): Promise<ModelSource> {
  const { revision = "main", env, signal, onNotice = () => undefined, onProgress = () => undefined } = options;
  const { patience = realPatience, fetch = globalThis.fetch } = options;
  checkModelName(model);
  checkRevision(revision);
  const settings = await readHubSettings(env);
  const { cacheFolder, offline } = settings;
  const context: HubContext = { model, settings, patience, fetch, onNotice, onProgress, unusedProxy: hasUnusedProxy(env) };
  const cache = new HubCache(cacheFolder, model);
  const opened = await inCache(cacheFolder, () =>
    offline ? openCachedModel(context, cache, revision) : openOnlineModel(context, cache, revision, signal),
  );
  return { ...opened, fetch: (path, fetchSignal) => inCache(cacheFolder, () => opened.fetch(path, fetchSignal)) };
}

async function inCache<T>(cacheFolder: string, task: () => Promise<T>): Promise<T> {
  return task().catch((error: unknown) => {
    throw cacheFailure(error, cacheFolder);
  });
}

function hasUnusedProxy(env: Env): boolean {
  const isSet = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => env[name]);
  return isSet && !(env["NODE_USE_ENV_PROXY"] === "1" && process.allowedNodeEnvironmentFlags.has("--use-env-proxy"));
}

/** What went wrong with the cache's files, for people. Errors of other kinds are returned as they are. */
function cacheFailure(error: unknown, cacheFolder: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof AddingFailed || code === undefined || syscall === undefined) return error;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new AddingFailed(
      `The disk of the hub's cache ${cacheFolder} is full (${code}). Free some space, or set HF_HUB_CACHE to a folder on another disk, and run the command again.`,
      { cause: error },
    );
  }
  return new AddingFailed(
    `The hub's cache ${cacheFolder} cannot be used (${code}). See that you may write to it, or set HF_HUB_CACHE to a folder of your own.`,
    { cause: error },
  );
}
