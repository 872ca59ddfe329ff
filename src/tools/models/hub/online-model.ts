import { AddingFailed } from "../adding-failed.ts";
import type { ModelSource } from "../source.ts";
import type { HubCache } from "./cache.ts";
import type { HubContext, HubFile } from "./context.ts";
import { holds } from "./digest.ts";
import { download } from "./download.ts";

/** A model as the hub has it; files that the cache has are not downloaded again. @throws {AddingFailed} */
export async function openOnlineModel(
  context: HubContext,
  cache: HubCache,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<ModelSource> {
  // Loaded here, as it brings the hub's library.
  const { readListing } = await import("./read-listing.ts");
  const { commit, licence, files } = await readListing(context, revision, signal);
  await cache.keepCommit(revision, commit);
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    name: context.model,
    revision: commit,
    ...(licence !== undefined && { licence }),
    files: files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    async fetch(path, fetchSignal) {
      const file = byPath.get(path);
      if (file !== undefined) return fetchFile(context, cache, commit, file, fetchSignal);
      const { model, settings } = context;
      throw new AddingFailed(
        `${model} has no such file on ${settings.host}. ${settings.endpoint}/${model}/tree/${commit} lists the files that it has.`,
      );
    },
  };
}

async function fetchFile(
  context: HubContext,
  cache: HubCache,
  commit: string,
  file: HubFile,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { path, sizeBytes, digest } = file;
  const { endpoint } = context.settings;
  const onReceived = (receivedBytes: number): void => {
    context.onProgress({ file: path, receivedBytes, totalBytes: sizeBytes });
  };
  const cached = cache.pathOf(commit, path);
  const blob = cache.blob(digest);
  let damaged = false;
  for (const there of [cached, blob]) {
    const whole = await isWhole(there, file, signal);
    if (whole === true) {
      onReceived(sizeBytes);
      return there === cached ? cached : cache.addToSnapshot(commit, path, digest);
    }
    damaged ||= whole === false;
  }
  if (damaged) context.onNotice(`The cache's copy of ${path} is damaged. It is downloaded anew.`);
  const url = `${endpoint}/${context.model}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`;
  await download(context, { url, file, blob, onReceived, signal });
  return cache.addToSnapshot(commit, path, digest);
}

/** Undefined: there is no such file. */
async function isWhole(path: string, file: HubFile, signal: AbortSignal | undefined): Promise<boolean | undefined> {
  return holds(path, file, signal).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
}
