import { Decompress } from "fzstd";
import { DecideError } from "../errors.ts";
import { windowBytesOf } from "./zstd-frame.ts";

/** Bytes as they came, decompressed; undefined when that has more than `limitBytes`. */
type Decode = (bytes: Uint8Array<ArrayBuffer>, limitBytes: number) => Promise<Uint8Array | undefined>;

/** Enough for every compressor's usual levels (RFC 8878 asks for it), and a bound on what a small body can make us allocate. */
const MAX_WINDOW_BYTES = 8_388_608;

/** The official Python client sends zstd; the others are what clients of HTTP know. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["identity", (bytes) => Promise.resolve(bytes)],
  ["gzip", (bytes, limitBytes) => inflate(bytes, "gzip", limitBytes)],
  ["deflate", (bytes, limitBytes) => inflate(bytes, "deflate", limitBytes)],
  ["zstd", unzstd],
]);

/** @throws {DecideError} `invalid_request` (415) for an encoding that is not known. */
export function decoderOf(contentEncoding: string | null): Decode {
  const decode = DECODERS.get((contentEncoding ?? "identity").trim().toLowerCase());
  if (decode !== undefined) return decode;
  const message = `The body's content-encoding is not known. Known are: ${[...DECODERS.keys()].join(", ")}.`;
  throw new DecideError("invalid_request", message, { status: 415 });
}

async function inflate(bytes: Uint8Array<ArrayBuffer>, format: CompressionFormat, limitBytes: number): Promise<Uint8Array | undefined> {
  const output = new Output(limitBytes);
  try {
    for await (const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))) {
      if (!output.add(chunk)) return undefined;
    }
  } catch {
    throw damaged(format);
  }
  return output.bytes();
}

function unzstd(bytes: Uint8Array, limitBytes: number): Promise<Uint8Array | undefined> {
  const windowBytes = windowBytesOf(bytes);
  if (windowBytes === undefined) throw damaged("zstd");
  if (windowBytes > MAX_WINDOW_BYTES) return Promise.resolve(undefined);
  const output = new Output(limitBytes);
  try {
    new Decompress((chunk) => {
      if (!output.add(chunk)) throw new TooMuch();
    }).push(bytes, true);
  } catch (error) {
    if (error instanceof TooMuch) return Promise.resolve(undefined);
    throw damaged("zstd");
  }
  return Promise.resolve(output.bytes());
}

class TooMuch extends Error {}

/** Decompressed bytes, up to a limit. */
class Output {
  readonly #limitBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** False once there are more than the limit. */
  add(chunk: Uint8Array): boolean {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > this.#limitBytes) return false;
    this.#chunks.push(chunk.slice());
    return true;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#sizeBytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

function damaged(encoding: string): DecideError {
  const message = `The body says that it is compressed with ${encoding}, but cannot be decompressed as one whole ${encoding} stream.`;
  return new DecideError("invalid_request", message, { status: 400 });
}
