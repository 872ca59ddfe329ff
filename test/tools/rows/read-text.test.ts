import { expect, test } from "vitest";
import { LineOfError } from "../../../src/tools/rows/read-text.ts";

const WRONG = Uint8Array.of(0xff);

/** What a text is made of, in pieces that end anywhere, also within characters. */
function piecesOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** The line of the wrong byte at `at`, found in the piece that holds it. */
function foundAt(bytes: Uint8Array, at: number, size: number): number {
  const lines = new LineOfError();
  const pieces = piecesOf(bytes, size);
  const wrong = Math.floor(at / size);
  for (const piece of pieces.slice(0, wrong)) lines.add(piece);
  return lines.firstWrong(pieces[wrong]);
}

test("a wrong byte is found in its line, wherever pieces end", () => {
  const rows = ["Grün", "日本語です", "🎈🎈", "", "fine"];
  for (let line = 0; line < rows.length; line++) {
    const before = Buffer.from(
      rows
        .slice(0, line)
        .map((row) => `${row}\n`)
        .join("") + (rows[line] ?? ""),
    );
    const bytes = Buffer.concat([before, WRONG, Buffer.from(`\n${rows.slice(line + 1).join("\n")}`)]);
    for (const size of [1, 2, 3, 4, 5, 7, 100]) expect([line, size, foundAt(bytes, before.length, size)]).toEqual([line, size, line + 1]);
  }
});

test("half a character at the end is in the last line", () => {
  const lines = new LineOfError();
  lines.add(Buffer.concat([Buffer.from("one\ntwo\nthree "), Uint8Array.of(0xe2)]));
  expect(lines.firstWrong()).toBe(3);
});
