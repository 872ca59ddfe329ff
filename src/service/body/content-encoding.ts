import { DecideError } from "../../errors.ts";
import { BoundedOutput, LimitExceeded } from "./bounded-output.ts";
import { unreadableBody } from "./unreadable.ts";
import { decompressZstd } from "./zstd/decompress.ts";

/** Decompresses bytes; undefined if the result has more than `limitBytes`. */
type Decode = (bytes: Uint8Array<ArrayBuffer>, limitBytes: number) => Promise<Uint8Array | undefined>;

/** The official Python client sends zstd; gzip and deflate are what other HTTP clients send. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["identity", (bytes) => Promise.resolve(bytes)],
  ["gzip", bounded("gzip", (bytes, output) => inflate(bytes, "gzip", output))],
  ["deflate", bounded("deflate", (bytes, output) => inflate(bytes, "deflate", output))],
  ["zstd", bounded("zstd", decompressZstd)],
]);

/** @throws {DecideError} `invalid_request` (415) for an encoding that is not supported. */
export function decoderOf(contentEncoding: string | null): Decode {
  const decode = DECODERS.get((contentEncoding ?? "identity").trim().toLowerCase());
  if (decode !== undefined) return decode;
  const message = `The body's content-encoding is not supported. Use one of: ${[...DECODERS.keys()].join(", ")}.`;
  throw new DecideError("invalid_request", message, { status: 415 });
}

async function inflate(bytes: Uint8Array<ArrayBuffer>, format: CompressionFormat, output: BoundedOutput): Promise<void> {
  for await (const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))) output.add(chunk);
}

/** @throws {DecideError} `invalid_request` (400) for bytes that are not valid in this encoding. */
function bounded(encoding: string, decompress: (bytes: Uint8Array<ArrayBuffer>, output: BoundedOutput) => Promise<void> | void): Decode {
  return async (bytes, limitBytes) => {
    const output = new BoundedOutput(limitBytes);
    try {
      await decompress(bytes, output);
    } catch (error) {
      if (error instanceof LimitExceeded) return undefined;
      const message = `The body's content-encoding is ${encoding}, but the body cannot be decompressed with it.`;
      throw unreadableBody(message, `cannot be decompressed as ${encoding}`);
    }
    return output.bytes();
  };
}
