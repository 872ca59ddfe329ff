import { readFile } from "node:fs/promises";
import { AddingFailed } from "../adding-failed.ts";
import { readCard } from "../card.ts";
import type { ModelSource } from "../source.ts";
import type { HubCache } from "./cache.ts";
import type { HubContext } from "./context.ts";
import { holds } from "./digest.ts";

const CARD = "README.md";
const MOST_CARD_BYTES = 1_000_000;

/** A model as far as the cache has it. @throws {AddingFailed} */
export async function openCachedModel(context: HubContext, cache: HubCache, revision: string): Promise<ModelSource> {
  const { model, settings, onProgress } = context;
  const commit = await cache.commitOf(revision);
  const files = commit === undefined ? undefined : await cache.filesOf(commit);
  if (commit === undefined || files === undefined) {
    throw new AddingFailed(
      `The hub's cache ${settings.cacheFolder} does not have ${model} at this revision, and HF_HUB_OFFLINE is set. Unset it to download the model.`,
    );
  }
  const sizes = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const hasCard = (sizes.get(CARD) ?? Infinity) <= MOST_CARD_BYTES;
  return {
    name: model,
    revision: commit,
    ...(hasCard && readCard(await readFile(cache.pathOf(commit, CARD), "utf8"))),
    files,
    async fetch(path, signal) {
      const sizeBytes = sizes.get(path);
      if (sizeBytes === undefined) {
        throw new AddingFailed(
          `The hub's cache does not have this file of ${model}, and HF_HUB_OFFLINE is set. Unset it to download the file.`,
        );
      }
      const digest = await cache.digestOf(commit, path);
      const cached = cache.pathOf(commit, path);
      if (digest !== undefined && !(await holds(cached, { digest }, signal))) {
        throw new AddingFailed(
          `The cache's copy of ${path} of ${model} is damaged, and HF_HUB_OFFLINE is set. Unset it to download the file anew.`,
        );
      }
      onProgress({ file: path, receivedBytes: sizeBytes, totalBytes: sizeBytes });
      return cached;
    },
  };
}
