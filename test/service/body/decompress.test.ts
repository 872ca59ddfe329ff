import * as zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { decoderOf } from "../../../src/service/body/decompress.ts";
import { lacksIf } from "../../support/needs.ts";
import { decideError } from "../../support/rejection.ts";

const TEXT = new TextEncoder().encode("the parcel arrived late; ".repeat(40));
/** Node has it from 22.15 on. */
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };

const ENCODED: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
  ["gzip", Uint8Array.from(zlib.gzipSync(TEXT))],
  ["deflate", Uint8Array.from(zlib.deflateSync(TEXT))],
  ...(zstdCompressSync === undefined ? [] : [["zstd", Uint8Array.from(zstdCompressSync(TEXT))] as const]),
];

describe.each(ENCODED)("%s", (encoding, bytes) => {
  it("is decompressed up to the limit", async () => {
    expect(await decoderOf(encoding)(bytes, TEXT.length)).toEqual(TEXT);
    expect(await decoderOf(encoding)(bytes, TEXT.length - 1)).toBeUndefined();
  });

  it("that is damaged is a 400 that names the encoding", async () => {
    const error = await decideError(() => decoderOf(encoding)(bytes.slice(0, 20), 1e6));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.message).toContain(encoding);
  });
});

describe("content-encoding", () => {
  it.each([null, "identity"])("%j leaves bytes as they are", async (encoding) => {
    expect(await decoderOf(encoding)(Uint8Array.from(TEXT), 1)).toEqual(TEXT);
  });

  it("is read without regard to case and surrounding spaces", async () => {
    expect(await decoderOf(" GZip ")(Uint8Array.from(zlib.gzipSync(TEXT)), 1e6)).toEqual(TEXT);
  });

  it.each(["br", "gzip, gzip", ""])("%j is a 415 that names the supported encodings", async (encoding) => {
    const error = await decideError(() => decoderOf(encoding));
    expect(error).toMatchObject({ code: "invalid_request", status: 415 });
    expect(error.message).toContain("Use one of: identity, gzip, deflate");
  });
});

describe("zstd", () => {
  it.skipIf(zstdCompressSync !== undefined)("is a 415 that names gzip, where Node has none", async () => {
    const error = await decideError(() => decoderOf("zstd"));
    expect(error).toMatchObject({ code: "invalid_request", status: 415 });
    expect(error.message).toMatch(/Use one of: identity, gzip, deflate\.$/u);
  });

  it.skipIf(lacksIf(zstdCompressSync === undefined, "a Node with zstd, 22.15 or newer"))(
    "that asks for a window of more than 8 MiB is refused",
    async () => {
      // One empty block, and in the header a window of 16 MiB.
      const bytes = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (24 - 10) << 3, 0x01, 0, 0]);
      expect(await decideError(() => decoderOf("zstd")(bytes, 1e6))).toMatchObject({ code: "invalid_request", status: 400 });
    },
  );

  it.skipIf(lacksIf(zstdCompressSync === undefined, "a Node with zstd, 22.15 or newer"))(
    "gigabytes of one repeated byte stop at the limit",
    async () => {
      const block = [0x02, 0x00, 0x10, 32];
      const bytes = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ...Array.from({ length: 10_000 }, () => block).flat()]);
      expect(await decoderOf("zstd")(bytes, 1e6)).toBeUndefined();
    },
  );
});
