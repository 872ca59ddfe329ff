import { DecideError } from "../../errors.ts";
import { Output, TooMuch } from "./decompressed.ts";
import { decompressZstd } from "./zstd/decompress.ts";

/** Bytes as they came, decompressed; undefined when that has more than `limitBytes`. */
type Decode = (bytes: Uint8Array<ArrayBuffer>, limitBytes: number) => Promise<Uint8Array | undefined>;

/** The official Python client sends zstd; the others are what clients of HTTP know. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["identity", (bytes) => Promise.resolve(bytes)],
  ["gzip", decoded("gzip", (bytes, output) => inflate(bytes, "gzip", output))],
  ["deflate", decoded("deflate", (bytes, output) => inflate(bytes, "deflate", output))],
  ["zstd", decoded("zstd", decompressZstd)],
]);

/** @throws {DecideError} `invalid_request` (415) for an encoding that is not known. */
export function decoderOf(contentEncoding: string | null): Decode {
  const decode = DECODERS.get((contentEncoding ?? "identity").trim().toLowerCase());
  if (decode !== undefined) return decode;
  const message = `The body's content-encoding is not known. Known are: ${[...DECODERS.keys()].join(", ")}.`;
  throw new DecideError("invalid_request", message, { status: 415 });
}

async function inflate(bytes: Uint8Array<ArrayBuffer>, format: CompressionFormat, output: Output): Promise<void> {
  for await (const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))) output.add(chunk);
}

/** What a decompressor makes of the bytes; undefined when that has more than `limitBytes`. */
function decoded(encoding: string, decompress: (bytes: Uint8Array<ArrayBuffer>, output: Output) => Promise<void> | void): Decode {
  return async (bytes, limitBytes) => {
    const output = new Output(limitBytes);
    try {
      await decompress(bytes, output);
    } catch (error) {
      if (error instanceof TooMuch) return undefined;
      throw damaged(encoding);
    }
    return output.bytes();
  };
}

function damaged(encoding: string): DecideError {
  const message = `The body says that it is compressed with ${encoding}, but cannot be decompressed as that.`;
  return new DecideError("invalid_request", message, { status: 400 });
}
