import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
// Of the hub's library only what lists is used: build.mjs leaves the rest of it out. Its own download checks no hash and does not say why it failed. It writes
// files that others may be writing, too. Where a server does not continue, it takes the start of a file for its rest.
import { listFiles, modelInfo } from "@huggingface/hub";
import { unlessMissing } from "../../../files/system-errors.ts";
import { inWords, ToolError } from "../../tool-error.ts";
import { isOld } from "../replace-pack.ts";
import { readCard, type ModelSource, type SourceFile } from "../model-source.ts";
import { COMMIT, holds, HubCache } from "./cache.ts";
import { checkModelName, checkRevision, Interrupted, isSafePath, readHubSettings, request, withTries, type Env, type Hub } from "./hub.ts";

export interface HubModelOptions extends Partial<Pick<Hub, "onNotice" | "fetch" | "pause" | "silenceMs">> {
  /** A branch, a tag or a commit. Default: `main`. */
  readonly revision?: string | undefined;
  /** The environment's variables: `HF_ENDPOINT`, `HF_TOKEN`, `HF_TOKEN_PATH`, `HF_HUB_OFFLINE`, `HF_HOME`, `HF_HUB_CACHE`. */
  readonly env: Env;
  /** Called for each part of a file that comes, and once for a file that the cache has. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Ends the opening. `fetch()` of the model takes one of its own. */
  readonly signal?: AbortSignal | undefined;
}

export interface DownloadProgress {
  /** The file's path in the model, such as `onnx/model.onnx`. */
  readonly file: string;
  /** Bytes on the disk, with those that earlier downloads left. It can go down when a server cannot continue. */
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

interface HubFile extends SourceFile {
  /** Names the content: the SHA-256 of a large file (64 digits), or git's SHA-1 of a small one (40 digits). */
  readonly digest: string;
}

interface OpenHub extends Hub {
  readonly cache: HubCache;
  readonly onProgress: (progress: DownloadProgress) => void;
}

/**
 * A model of a hub. Its revision is resolved to a commit once, and all files are those of that commit. A file is downloaded when it is fetched, into the
 * cache that all tools of the hub share, where it is a link to its blob; the digest of each is checked.
 * @param model `org/name`
 * @throws {ToolError}
 * @throws `signal.reason` once the signal is aborted
 */
export async function openHubModel(model: string, options: HubModelOptions): Promise<ModelSource> {
  const { revision = "main", env, signal, onNotice = () => undefined, onProgress = () => undefined, ...given } = options;
  checkModelName(model);
  checkRevision(revision);
  const settings = await readHubSettings(env);
  const { cacheFolder } = settings;
  const hub: OpenHub = { ...given, model, settings, cache: new HubCache(cacheFolder, model), onNotice, onProgress };
  const inCache = <T>(task: Promise<T>): Promise<T> =>
    task.catch(inWords((why) => `The hub's cache ${cacheFolder} cannot be used: ${why}. ${ADVICE}`));
  const opened = await inCache(settings.offline ? openOffline(hub, revision) : openOnline(hub, revision, signal));
  return { ...opened, fetch: (path, fetchSignal) => inCache(opened.fetch(path, fetchSignal)) };
}

const ADVICE = "Mend that, or set HF_HUB_CACHE to a folder of yours on another disk, and run the command again.";
const CARD = "README.md";
const MOST_CARD_BYTES = 1_000_000;

async function openOffline({ model, settings, cache, onProgress }: OpenHub, revision: string): Promise<ModelSource> {
  const commit = await cache.commitOf(revision);
  const files = commit === undefined ? undefined : await cache.filesOf(commit);
  if (commit === undefined || files === undefined)
    throw new ToolError(
      `The hub's cache ${settings.cacheFolder} does not have ${model} at this revision, and HF_HUB_OFFLINE is set. Unset it to download the model.`,
    );
  const sizes = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const hasCard = (sizes.get(CARD) ?? Infinity) <= MOST_CARD_BYTES;
  return {
    name: model,
    revision: commit,
    ...(hasCard && readCard(await readFile(cache.pathOf(commit, CARD), "utf8"))),
    files,
    async fetch(path, signal) {
      const sizeBytes = sizes.get(path);
      if (sizeBytes === undefined)
        throw new ToolError(
          `The hub's cache does not have this file of ${model}, and HF_HUB_OFFLINE is set. Unset it to download the file.`,
        );
      const digest = await cache.digestOf(commit, path);
      const cached = cache.pathOf(commit, path);
      if (digest !== undefined && !(await holds(cached, digest, signal)))
        throw new ToolError(
          `The cache's copy of ${path} of ${model} is damaged, and HF_HUB_OFFLINE is set. Unset it to download the file anew.`,
        );
      onProgress({ file: path, receivedBytes: sizeBytes, totalBytes: sizeBytes });
      return cached;
    },
  };
}

async function openOnline(hub: OpenHub, revision: string, signal: AbortSignal | undefined): Promise<ModelSource> {
  const { model, settings } = hub;
  const { commit, licence, files } = await readListing(hub, revision, signal);
  await hub.cache.keepCommit(revision, commit);
  return {
    name: model,
    revision: commit,
    ...(licence !== undefined && { licence }),
    files: files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    async fetch(path, fetchSignal) {
      const file = files.find((one) => one.path === path);
      if (file !== undefined) return fetchFile(hub, commit, file, fetchSignal);
      throw new ToolError(
        `${model} has no such file on ${settings.host}. ${settings.endpoint}/${model}/tree/${commit} lists the files that it has.`,
      );
    },
  };
}

const MOST_FILES = 10_000;
const SHA256 = /^[0-9a-f]{64}$/;
/** Longer ones, or ones with line breaks, are no name of a licence. */
const LICENCE = /^[^\p{Cc}]{1,100}$/u;

async function readListing(
  hub: Hub,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly commit: string; readonly licence: string | undefined; readonly files: readonly HubFile[] }> {
  const { model, settings, onNotice } = hub;
  const common = { hubUrl: settings.endpoint, fetch: fetchReply(hub, signal) };
  try {
    const info: unknown = await modelInfo({ name: model, revision, additionalFields: ["sha", "cardData"], ...common });
    const { sha: commit, cardData } = info as { sha: unknown; cardData: unknown };
    if (typeof commit !== "string" || !COMMIT.test(commit)) throw unexpected(hub);
    const files: HubFile[] = [];
    let unsafe = 0;
    for await (const { type, path, size, oid, lfs } of listFiles({ repo: model, revision: commit, recursive: true, ...common })) {
      if (type !== "file") continue;
      const digest = lfs?.oid ?? oid ?? "";
      const sizeBytes = lfs?.size ?? size;
      if (!(lfs === undefined ? COMMIT : SHA256).test(digest) || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw unexpected(hub);
      if (isSafePath(path)) files.push({ path, sizeBytes, digest });
      else unsafe += 1;
      if (files.length + unsafe > MOST_FILES)
        throw new ToolError(
          `${model} has more than ${MOST_FILES} files, which no model has. Check the name on ${settings.endpoint}/${model}.`,
        );
    }
    const [are, their] = unsafe === 1 ? ["file", "is left out: its name is"] : ["files", "are left out: their names are"];
    if (unsafe > 0) onNotice(`${unsafe} ${are} of ${model} ${their} not safe on every system.`);
    return { commit, files, licence: licenceOf(cardData) };
  } catch (error) {
    signal?.throwIfAborted();
    // The library trips over replies of another form.
    throw error instanceof ToolError ? error : unexpected(hub, error);
  }
}

/** The licence of a model's card: an id, several, or a name of its own beside `other`. */
function licenceOf(card: unknown): string | undefined {
  const { license, license_name: ownName } = (card ?? {}) as Readonly<Record<string, unknown>>;
  const stated = Array.isArray(license) ? license.join(", ") : license;
  const licence = stated === "other" && ownName !== undefined ? ownName : stated;
  return typeof licence === "string" && LICENCE.test(licence) ? licence : undefined;
}

function unexpected({ settings: { host } }: Hub, cause?: unknown): ToolError {
  return new ToolError(`${host} does not answer as a model hub does. Check that HF_ENDPOINT is the address of one.`, { cause });
}

const MOST_REPLY_BYTES = 32 * 1024 * 1024;

/** A `fetch` for the library: it is tried again, its failures are ours, and a reply is whole and of bounded size. */
function fetchReply(hub: Hub, signal: AbortSignal | undefined): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = { accept: "application/json", ...(init?.headers as Record<string, string> | undefined) };
    const reply = (): Promise<Response> =>
      request(hub, url, headers, signal, async (response, body) => {
        const parts: Uint8Array[] = [];
        let sizeBytes = 0;
        for await (const part of body) {
          sizeBytes += part.length;
          if (sizeBytes > MOST_REPLY_BYTES) throw unexpected(hub);
          parts.push(part);
        }
        const link = response.headers.get("link");
        return new Response(Buffer.concat(parts), { headers: link === null ? {} : { link } });
      });
    return withTries(hub, reply, signal);
  };
}

/** Path of a file in the cache's snapshot, downloaded unless the cache has it. */
async function fetchFile(hub: OpenHub, commit: string, file: HubFile, signal: AbortSignal | undefined): Promise<string> {
  const { cache, model, settings, onNotice, onProgress } = hub;
  const { path, sizeBytes, digest } = file;
  const [cached, blob] = [cache.pathOf(commit, path), cache.blob(digest)];
  let isDamaged = false;
  for (const there of [cached, blob]) {
    const found = await unlessMissing(stat(there));
    if (found === undefined) continue;
    if (found.size === sizeBytes && (await holds(there, digest, signal))) {
      onProgress({ file: path, receivedBytes: sizeBytes, totalBytes: sizeBytes });
      return there === cached ? cached : cache.addToSnapshot(commit, path, digest);
    }
    isDamaged = true;
  }
  if (isDamaged) onNotice(`The cache's copy of ${path} is damaged. It is downloaded anew.`);
  const url = `${settings.endpoint}/${model}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
  await download(hub, url, file, blob, signal);
  return cache.addToSnapshot(commit, path, digest);
}

/** A try that brought so much does not count as a failure, so that a large file gets through a bad line. */
const FURTHER_BYTES = 1024 * 1024;

/**
 * Downloads a file beside its place, and makes it the blob if it is whole and right. A connection that breaks is taken up where it ended; of a download that
 * fails nothing is kept.
 */
async function download(hub: OpenHub, url: string, file: HubFile, blob: string, signal: AbortSignal | undefined): Promise<void> {
  const { host } = hub.settings;
  const { path, sizeBytes, digest } = file;
  await mkdir(dirname(blob), { recursive: true });
  await removeOldDrafts(blob);
  // Of this download alone: others may download the same into the same cache.
  const draft = `${blob}.umpire-${randomBytes(6).toString("hex")}.incomplete`;
  const handle = await open(draft, "ax");
  let receivedBytes = 0;
  const brokeOff = (): Interrupted => new Interrupted(`The download of ${path} from ${host} broke off.`, "Run the command again.");
  const receiveRest = async (cameFurther: () => void): Promise<void> => {
    if (receivedBytes === sizeBytes) return;
    const headers = { "accept-encoding": "identity", ...(receivedBytes > 0 && { range: `bytes=${receivedBytes}-` }) };
    await request(hub, url, headers, signal, async (response, body) => {
      const startBytes = startOf(response);
      if (startBytes !== receivedBytes) {
        hub.onNotice(`${host} does not continue ${path}. It is downloaded from its start.`);
        await handle.truncate(0);
        receivedBytes = 0;
        if (startBytes !== 0) throw brokeOff();
      }
      const furtherBytes = receivedBytes + FURTHER_BYTES;
      for await (const part of body) {
        receivedBytes += part.length;
        if (receivedBytes > sizeBytes) throw wrongFile(hub, file, "is longer than the size");
        await handle.writeFile(part);
        if (receivedBytes >= furtherBytes) cameFurther();
        hub.onProgress({ file: path, receivedBytes, totalBytes: sizeBytes });
      }
    });
    if (receivedBytes < sizeBytes) throw brokeOff();
  };
  try {
    hub.onProgress({ file: path, receivedBytes, totalBytes: sizeBytes });
    await withTries(hub, receiveRest, signal);
    await handle.sync();
    if (!(await holds(draft, digest, signal))) throw wrongFile(hub, file, "does not have the hash");
    await rename(draft, blob);
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

async function removeOldDrafts(blob: string): Promise<void> {
  for (const name of await readdir(dirname(blob))) {
    const draft = join(dirname(blob), name);
    if (name.startsWith(`${basename(blob)}.umpire-`) && (await isOld(draft))) await rm(draft, { force: true });
  }
}

/** Where in the file the part begins that a response holds; NaN if it does not say so. */
function startOf({ status, headers }: Response): number {
  if (status === 206) return Number(/^bytes (\d+)-/.exec(headers.get("content-range") ?? "")?.[1]);
  return status === 200 ? 0 : NaN;
}

function wrongFile({ model, settings: { host, endpoint } }: Hub, { path }: HubFile, what: string): ToolError {
  return new ToolError(
    `The file ${path} of ${model} ${what} that ${host} states, and was deleted. Run the command again; if it stays so, report it on ${endpoint}/${model}.`,
  );
}
