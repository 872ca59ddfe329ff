import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncFolder } from "../../../files/replace.ts";

/** A file that grows at its end. */
export class SyncedFile {
  readonly #file: FileHandle;
  #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Opens a file, new or not, and cuts it to a length. */
  static async open(path: string, bytes: number): Promise<SyncedFile> {
    const file = await open(path, "a");
    await file.truncate(bytes);
    await file.sync();
    return new SyncedFile(file, bytes);
  }

  /** Its length. */
  get bytes(): number {
    return this.#bytes;
  }

  async append(text: string): Promise<void> {
    const data = Buffer.from(text);
    for (let from = 0; from < data.length;) from += (await this.#file.write(data, from)).bytesWritten;
    this.#bytes += data.length;
  }

  /** Once this resolves, what was appended survives a power cut. */
  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** SHA-256 of a part of a file, in hexadecimal digits; undefined if the file ends before it. */
export async function digestOf(file: FileHandle, from: number, to: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1 << 16);
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) return undefined;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest("hex");
}

/** Gives a finished file its name, in one step that survives a power cut. */
export async function moveInPlace(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(resolve(to)));
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
