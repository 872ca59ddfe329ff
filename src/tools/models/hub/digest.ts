import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** What a file must be. */
export interface Content {
  /** Absent where nobody states it. */
  readonly sizeBytes?: number;
  /** SHA-256 (64 digits), or git's SHA-1 of a file (40 digits). */
  readonly digest: string;
}

/** Whether a file holds that content. @throws what the file system throws, and `signal.reason` */
export async function holds(path: string, { sizeBytes, digest }: Content, signal: AbortSignal | undefined): Promise<boolean> {
  const { size } = await stat(path);
  if (sizeBytes !== undefined && size !== sizeBytes) return false;
  const hash = createHash(digest.length === 64 ? "sha256" : "sha1");
  // What git hashes of a file: its type and size, then its bytes.
  if (digest.length !== 64) hash.update(`blob ${size}\0`);
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    signal?.throwIfAborted();
    hash.update(part as Buffer);
  }
  return hash.digest("hex") === digest;
}
