import { isUtf8 } from "node:buffer";

const LINE_FEED = 0x0a;

/** Finds the line in which a text is not UTF-8. */
export class LineOfError {
  #breaks = 0;
  /** The end of what was read: it may be the start of a character. */
  #end: Uint8Array = new Uint8Array();

  /** To be called after each piece that was UTF-8. */
  add(bytes: Uint8Array): void {
    this.#breaks += countBreaks(bytes);
    this.#end = bytes.subarray(-3);
  }

  /** Number of the first line of the next piece that is not UTF-8, from 1; without a piece, of the last line. */
  firstWrong(bytes: Uint8Array = new Uint8Array()): number {
    const before = this.#end.subarray(this.#end.lastIndexOf(LINE_FEED) + 1);
    // Not from within a character.
    const start = before.findIndex((byte) => (byte & 0xc0) !== 0x80);
    const all = Buffer.concat([start < 0 ? new Uint8Array() : before.subarray(start), bytes]);
    let line = this.#breaks + 1;
    for (let from = 0; ; line++) {
      const end = all.indexOf(LINE_FEED, from);
      if (end < 0 || !isUtf8(all.subarray(from, end))) return line;
      from = end + 1;
    }
  }
}

function countBreaks(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
