import { constants, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/** Windows has neither flag: they are undefined there, which counts as 0. */
const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/** A flaw of a file, in words that follow its name. */
export class UnfitFile extends Error {}

/**
 * Reads a file, or what a link leads to. Its type and size are checked before anything is read, and no more than that size is read.
 * @param flawOf what is wrong with a size in bytes, in words that follow the file's name
 * @throws {UnfitFile} for anything but a regular file, and for a size with a flaw
 */
export async function readRegularFile(url: URL, flawOf: (sizeBytes: number) => string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  // Otherwise opening a FIFO would wait for a writer, and opening a terminal could make it that of the process.
  const file = await open(url, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    // Of what was opened: what the name stands for may change at any time.
    const stat = await file.stat();
    if (!stat.isFile()) throw new UnfitFile("is not a regular file");
    const flaw = flawOf(stat.size);
    if (flaw !== undefined) throw new UnfitFile(flaw);
    return await readStart(file, stat.size);
  } finally {
    await file.close();
  }
}

/** The first `sizeBytes` of a file; less if it was cut since. */
async function readStart(file: FileHandle, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sizeBytes);
  let there = 0;
  while (there < sizeBytes) {
    const { bytesRead } = await file.read(bytes, there, sizeBytes - there, there);
    if (bytesRead === 0) break;
    there += bytesRead;
  }
  return bytes.subarray(0, there);
}
