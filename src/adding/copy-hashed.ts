import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { ListedFile } from "../engine/pack/manifest.ts";

/** Large enough that a file of gigabytes takes no more turns than it must. */
const PIECE_BYTES = 1 << 20;

/** Copies a file piece by piece, and says what was written. @throws the system's error, or `signal.reason` */
export async function copyHashed(from: string, to: string, signal: AbortSignal | undefined): Promise<ListedFile> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  await pipeline(
    createReadStream(from, { highWaterMark: PIECE_BYTES }),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        sizeBytes += piece.byteLength;
        yield piece;
      }
    },
    createWriteStream(to, { flags: "wx" }),
    { signal },
  );
  return { sizeBytes, sha256: hash.digest("hex") };
}
