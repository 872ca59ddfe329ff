import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decoderOf } from "../../../src/service/body/content-encoding.ts";
import { decideError } from "../../support/rejection.ts";

const TEXT = new TextEncoder().encode("the parcel arrived late; ".repeat(40));
/** One raw block of zstd. */
const ZSTD = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ((TEXT.length << 3) | 1) & 255, TEXT.length >> 5, 0, ...TEXT]);

const ENCODED = [
  ["gzip", Uint8Array.from(gzipSync(TEXT))],
  ["deflate", Uint8Array.from(deflateSync(TEXT))],
  ["zstd", ZSTD],
] as const;

describe.each(ENCODED)("%s", (encoding, bytes) => {
  it("is decompressed up to the limit", async () => {
    expect(await decoderOf(encoding)(bytes, TEXT.length)).toEqual(TEXT);
    expect(await decoderOf(encoding)(bytes, TEXT.length - 1)).toBeUndefined();
  });

  it("that is damaged is a 400 that names the encoding", async () => {
    const error = await decideError(() => decoderOf(encoding)(bytes.slice(0, 30), 1e6));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.message).toContain(encoding);
  });
});

describe("content-encoding", () => {
  it.each([null, "identity"])("%j leaves bytes as they are", async (encoding) => {
    expect(await decoderOf(encoding)(Uint8Array.from(TEXT), 1)).toEqual(TEXT);
  });

  it("is read without regard to case and surrounding spaces", async () => {
    expect(await decoderOf(" GZip ")(Uint8Array.from(gzipSync(TEXT)), 1e6)).toEqual(TEXT);
  });

  it.each(["br", "gzip, gzip", ""])("%j is a 415 that names the supported encodings", async (encoding) => {
    const error = await decideError(() => decoderOf(encoding));
    expect(error).toMatchObject({ code: "invalid_request", status: 415 });
    expect(error.message).toContain("identity, gzip, deflate, zstd");
  });
});
