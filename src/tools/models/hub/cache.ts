import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, mkdir, readdir, readFile, readlink, realpath, rename, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { unlessMissing } from "../../../files/system-errors.ts";
import { AS_USUAL, replaceFile } from "../../../files/replace.ts";
import type { SourceFile } from "../model-source.ts";

export const COMMIT = /^[0-9a-f]{40}$/;
const DIGEST = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * A model's part of the cache that all tools of the hub share: `blobs/` has the files, named by their digests; `snapshots/<commit>/` names them as the
 * model does, by links; `refs/` has the commits of branches and tags.
 */
export class HubCache {
  readonly #folder: string;

  constructor(cacheFolder: string, model: string) {
    this.#folder = join(cacheFolder, `models--${model.replace("/", "--")}`);
  }

  blob(digest: string): string {
    return join(this.#folder, "blobs", digest);
  }

  /** Where a snapshot has the file, if it has it. */
  pathOf(commit: string, path: string): string {
    return join(this.#folder, "snapshots", commit, ...path.split("/"));
  }

  /** Names a blob as the snapshot's file. @returns its path there */
  async addToSnapshot(commit: string, path: string, digest: string): Promise<string> {
    const named = this.pathOf(commit, path);
    const blob = this.blob(digest);
    const target = relative(dirname(named), blob);
    if ((await readlink(named).catch(() => undefined)) === target) return named;
    await mkdir(dirname(named), { recursive: true });
    const own = join(dirname(named), `.${randomBytes(6).toString("hex")}`);
    // Not every Windows allows symbolic links, and not every file system has any.
    await symlink(target, own)
      .catch(() => link(blob, own))
      .catch(() => copyFile(blob, own));
    await rename(own, named);
    return named;
  }

  /** The commit that a branch or tag had when the hub was last asked. A commit is its own. */
  async commitOf(revision: string): Promise<string | undefined> {
    const text = COMMIT.test(revision) ? revision : await unlessMissing(readFile(this.#ref(revision), "utf8"));
    return text !== undefined && COMMIT.test(text.trim()) ? text.trim() : undefined;
  }

  async keepCommit(revision: string, commit: string): Promise<void> {
    if (COMMIT.test(revision)) return;
    await mkdir(dirname(this.#ref(revision)), { recursive: true });
    await replaceFile(this.#ref(revision), commit, AS_USUAL);
  }

  /** The files of a snapshot; undefined if there is none of this commit. */
  async filesOf(commit: string): Promise<readonly SourceFile[] | undefined> {
    const folder = join(this.#folder, "snapshots", commit);
    const names = await unlessMissing(readdir(folder, { recursive: true }));
    const found = names?.map(async (name) => {
      // A link whose file is gone is a file that is not in the cache.
      const file = await unlessMissing(stat(join(folder, name)));
      return file?.isFile() ? [{ path: name.replaceAll(sep, "/"), sizeBytes: file.size }] : [];
    });
    return found && (await Promise.all(found)).flat();
  }

  /** By which digest the cache names a snapshot's file; undefined where there is a copy instead of a link. */
  async digestOf(commit: string, path: string): Promise<string | undefined> {
    const digest = basename(await realpath(this.pathOf(commit, path)));
    return DIGEST.test(digest) ? digest : undefined;
  }

  #ref(revision: string): string {
    return join(this.#folder, "refs", ...revision.split("/"));
  }
}

/**
 * Whether a file holds that content. @param digest SHA-256 (64 digits), or git's SHA-1 of a file (40 digits)
 * @throws what the file system throws, and `signal.reason`
 */
export async function holds(path: string, digest: string, signal: AbortSignal | undefined): Promise<boolean> {
  const isSha256 = digest.length === 64;
  const hash = createHash(isSha256 ? "sha256" : "sha1");
  // Git hashes a file's type and size, then its bytes.
  if (!isSha256) hash.update(`blob ${(await stat(path)).size}\0`);
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    signal?.throwIfAborted();
    hash.update(part as Buffer);
  }
  return hash.digest("hex") === digest;
}
