import { DecideError } from "../../errors.ts";

/** There are more bytes than the limit. */
export class LimitExceeded extends Error {}

/** The memory of a stream that has hardly begun. A slow client can hold many of those. */
const INITIAL_BYTES = 1024;

/** Collects the bytes of a stream up to a limit. Its memory grows with the bytes it has, not with an announced size. */
export class BoundedOutput {
  readonly #limitBytes: number;
  #bytes = new Uint8Array(INITIAL_BYTES);
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** @throws {LimitExceeded} */
  add(chunk: Uint8Array): void {
    const at = this.#sizeBytes;
    if (at + chunk.length > this.#limitBytes) throw new LimitExceeded();
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#sizeBytes, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, at);
  }

  /** A copy of all bytes so far, without spare room. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#sizeBytes);
  }
}

type Chunks = AsyncIterable<Uint8Array>;

/** By content encoding. Leaving the loop over the chunks ends the work, so a bomb costs no more than the limit. */
const DECODERS = new Map<string, ((bytes: Uint8Array<ArrayBuffer>) => Chunks) | undefined>([
  ["identity", undefined],
  ["gzip", (bytes) => inflate(bytes, "gzip")],
  ["deflate", (bytes) => inflate(bytes, "deflate")],
]);
const zstd = zstdOfRuntime();
if (zstd !== undefined) DECODERS.set("zstd", zstd);

/**
 * Decompresses bytes.
 * @returns undefined if the result has more than `limitBytes`
 * @throws {DecideError} `invalid_request` (400) for bytes that are not valid in the encoding.
 */
type Decode = (bytes: Uint8Array<ArrayBuffer>, limitBytes: number) => Promise<Uint8Array | undefined>;

/** @throws {DecideError} `invalid_request` (415) for an encoding that is not supported. */
export function decoderOf(contentEncoding: string | null): Decode {
  const encoding = (contentEncoding ?? "identity").trim().toLowerCase();
  if (!DECODERS.has(encoding)) {
    const message = `The body's content-encoding is not supported. Use one of: ${[...DECODERS.keys()].join(", ")}.`;
    throw new DecideError("invalid_request", message, { status: 415 });
  }
  const chunksOf = DECODERS.get(encoding);
  if (chunksOf === undefined) return (bytes) => Promise.resolve(bytes);
  return async (bytes, limitBytes) => {
    const output = new BoundedOutput(limitBytes);
    try {
      for await (const chunk of chunksOf(bytes)) output.add(chunk);
    } catch (error) {
      if (error instanceof LimitExceeded) return undefined;
      const message = `The body's content-encoding is ${encoding}, but the body cannot be decompressed with it.`;
      throw unreadableBody(message, `cannot be decompressed as ${encoding}`);
    }
    return output.bytes();
  };
}

/**
 * The error for a body that is no JSON text. Its status is 400, which tells it from a request that breaks a rule; on the vendor's path it becomes 422.
 * @param msg what is wrong, for example `is not JSON: it cannot be parsed`
 */
export function unreadableBody(message: string, msg: string, cause?: unknown): DecideError {
  return new DecideError("invalid_request", message, { status: 400, issues: [{ loc: ["body"], msg, type: "not_json" }], cause });
}

function inflate(bytes: Uint8Array<ArrayBuffer>, format: CompressionFormat): Chunks {
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
}

/** The part of Node's zlib that matters here. */
interface Zlib {
  readonly constants: { readonly ZSTD_d_windowLogMax: number };
  readonly createZstdDecompress?: (options: { readonly params: Record<number, number> }) => Chunks & { end(bytes: Uint8Array): void };
}

/** A frame may ask for memory for as much of its past. RFC 8878 asks decoders to take 8 MiB; more would be an attack's. */
const MAX_WINDOW_LOG = 23;

/** No web standard decodes zstd (whatwg/compression#54). Node does from 22.15 on, and so do runtimes that have its modules; this file runs in others, too. */
function zstdOfRuntime(): ((bytes: Uint8Array) => Chunks) | undefined {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const { constants, createZstdDecompress } = (process?.getBuiltinModule?.("node:zlib") ?? {}) as Partial<Zlib>;
  if (constants === undefined || createZstdDecompress === undefined) return undefined;
  return (bytes) => {
    const stream = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } });
    stream.end(bytes);
    return stream;
  };
}
