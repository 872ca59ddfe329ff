import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { BoundedOutput, LimitExceeded } from "../../../../src/service/body/bounded-output.ts";
import { Damaged } from "../../../../src/service/body/zstd/damaged.ts";
import { decompressZstd } from "../../../../src/service/body/zstd/decompress.ts";

interface Frame {
  readonly name: string;
  /** Base64. */
  readonly frame: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const LIMIT_BYTES = 1_048_576;
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** No content size, no checksum, a window of 128 KiB. */
const HEADER = [...MAGIC, 0x00, 0x38];
const [RAW, RLE, COMPRESSED] = [0, 1, 2];

const frames = JSON.parse(await readFile(new URL("frames.json", import.meta.url), "utf8")) as Frame[];

function decompressed(bytes: Uint8Array, limitBytes = LIMIT_BYTES): Uint8Array {
  const output = new BoundedOutput(limitBytes);
  decompressZstd(bytes, output);
  return output.bytes();
}

function block(type: number, sizeBytes: number, content: readonly number[], isLast = true): number[] {
  const header = (sizeBytes << 3) | (type << 1) | Number(isLast);
  return [header & 255, (header >> 8) & 255, header >> 16, ...content];
}

/** The outcome for hostile bytes. */
function attempt(bytes: Uint8Array): string {
  try {
    decompressed(bytes);
    return "answer";
  } catch (error) {
    return error instanceof Damaged ? "damaged" : error instanceof LimitExceeded ? "too much" : String(error);
  }
}

test.each(frames)("$name", ({ frame, sizeBytes, sha256 }) => {
  const content = decompressed(Buffer.from(frame, "base64"));
  expect(content.length).toBe(sizeBytes);
  expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
});

describe("invalid zstd is refused:", () => {
  test("a frame that is cut off anywhere", () => {
    const outcomes = new Set<string>();
    for (const { frame } of frames.filter(({ name }) => name.startsWith("text"))) {
      const bytes = Buffer.from(frame, "base64");
      for (let length = 0; length < bytes.length; length += 3) outcomes.add(attempt(bytes.subarray(0, length)));
    }
    expect([...outcomes]).toEqual(["damaged"]);
  });

  test("a flipped bit, unless it still decompresses to something", () => {
    const outcomes = new Set<string>();
    for (const { frame } of frames.filter(({ frame }) => frame.length < 1000)) {
      const bytes = Buffer.from(frame, "base64");
      for (let bit = 0; bit < 8 * bytes.length; bit += 17) {
        const wrong = Uint8Array.from(bytes);
        wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        outcomes.add(attempt(wrong));
      }
    }
    expect([...outcomes].sort()).toEqual(["answer", "damaged", "too much"]);
  });

  test.each([
    ["a frame that needs a dictionary", [...MAGIC, 0x21, 0x07, 0x01, ...block(RAW, 1, [65])]],
    ["a reserved block type", [...HEADER, ...block(3, 1, [65])]],
    ["a reserved bit of the header", [...MAGIC, 0x08, 0x38, ...block(RAW, 1, [65])]],
    ["less content than announced", [...MAGIC, 0x20, 0x02, ...block(RAW, 1, [65])]],
    ["more content than announced", [...MAGIC, 0x20, 0x02, ...block(RAW, 3, [65, 65, 65])]],
    ["bytes after the frame", [...HEADER, ...block(RAW, 1, [65]), 1, 2, 3, 4]],
    ["a block that is too large", [...HEADER, ...block(RLE, 131_073, [65])]],
    ["a match that starts before the output", [...HEADER, ...block(COMPRESSED, 9, [0, 1, 0b01010100, 0, 5, 0, 0, 0, 1])]],
    ["literals without a table", [...HEADER, ...block(COMPRESSED, 5, [3 | (1 << 4), 0x40, 0, 1, 0])]],
  ])("%s", (_, bytes) => {
    expect(attempt(Uint8Array.from(bytes))).toBe("damaged");
  });
});

describe("decompression bombs", () => {
  test("a few bytes that ask for billions of copies are refused", () => {
    // 98,000 sequences of 65,539 bytes each, whose bits are missing.
    const count = 98_000 - 0x7f00;
    const sequences = [0, 255, count & 255, count >> 8, 0b01010100, 0, 0, 52, 1];
    const bytes = [...HEADER, ...block(RAW, 4, [65, 65, 65, 65], false), ...block(COMPRESSED, sequences.length, sequences)];
    expect(attempt(Uint8Array.from(bytes))).toBe("damaged");
  });

  test("blocks of one repeated byte are stopped at the limit", () => {
    const repeated = Array.from({ length: 10_000 }, () => block(RLE, 131_072, [65], false)).flat();
    expect(attempt(Uint8Array.from([...HEADER, ...repeated]))).toBe("too much");
  });

  test("thousands of tiny blocks with tables of their own are refused", () => {
    // No literals, one sequence of three bytes, three tables of 256 to 512 states in two bytes each.
    const tables = [0x00, 1, 0b10101000, 228, 63, 243, 15, 228, 63, 0, 0, 0, 4];
    const blocks = (count: number): Uint8Array => {
      const many = Array.from({ length: count }, () => block(COMPRESSED, tables.length, tables, false)).flat();
      return Uint8Array.from([...HEADER, ...block(RAW, 8, Array<number>(8).fill(65), false), ...many, ...block(RAW, 0, [])]);
    };
    expect(decompressed(blocks(100)).length).toBe(308);
    expect(attempt(blocks(60_000))).toBe("damaged");
  });

  test("an announced size above the limit is refused before any work, and an announced window costs nothing", () => {
    const bytes = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00];
    expect(attempt(Uint8Array.from([...MAGIC, 0xe0, ...bytes, ...block(RAW, 1, [65])]))).toBe("too much");
    expect(decompressed(Uint8Array.from([...MAGIC, 0x00, 0xff, ...block(RAW, 1, [65])]))).toEqual(Uint8Array.of(65));
  });

  test("output of exactly the limit is accepted, one byte more is not", () => {
    const frame = Uint8Array.from([...HEADER, ...block(RLE, 1000, [65])]);
    expect(decompressed(frame, 1000).length).toBe(1000);
    expect(() => decompressed(frame, 999)).toThrow(LimitExceeded);
  });
});
