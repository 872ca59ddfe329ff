import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { badInput, ToolError } from "../tool-error.ts";

export const STANDARD_INPUT = "-";

/** A line, or a row of CSV, that is longer is no row of a table: memory must not grow with it. */
export const MAX_LINE_CHARACTERS = 64_000_000;

export interface ReadingOptions {
  readonly stdin?: AsyncIterable<string | Uint8Array> | undefined;
  /** Told how many bytes of the file were read so far; of a .gz file, of the compressed ones. */
  readonly onBytes?: ((bytesRead: number) => void) | undefined;
}

/** The text of a file, plain or .gz, or of standard input, in pieces. @throws {ToolError} */
export async function* textOf(path: string, options: ReadingOptions = {}): AsyncGenerator<string, void, void> {
  const name = nameOf(path);
  // Also leaves out a byte order mark.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines = new LineOfError();
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw badInput(`${name}, line ${lines.firstWrong(bytes)}: is not UTF-8 text. Convert the file to UTF-8 first.`, { cause });
    }
  };
  try {
    for await (const bytes of bytesOf(path, options)) {
      yield decoded(bytes);
      lines.add(bytes);
    }
  } catch (cause) {
    throw cause instanceof ToolError ? cause : badInput(whyUnreadable(name, cause as NodeJS.ErrnoException), { cause });
  }
  yield decoded();
}

/** Reads a text file, plain or .gz, at once. @throws {ToolError} */
export async function readText(path: string, options: ReadingOptions = {}): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of textOf(path, options)) pieces.push(piece);
  return pieces.join("");
}

export function nameOf(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/** The non-empty lines of a text, with their line numbers, which start at 1. @param name for messages @throws {ToolError} for a line without an end */
export async function* linesOf(name: string, pieces: AsyncIterable<string>): AsyncGenerator<{ number: number; text: string }, void, void> {
  let number = 0;
  let rest = "";
  for await (const piece of pieces) {
    rest += piece;
    if (rest.length > MAX_LINE_CHARACTERS && !piece.includes("\n"))
      throw badInput(`${name}, line ${number + 1}: has more than ${MAX_LINE_CHARACTERS} characters. Is it a file of lines?`);
    if (!piece.includes("\n")) continue;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      number++;
      const text = line.replace(/\r$/u, "");
      if (text.trim() !== "") yield { number, text };
    }
  }
  if (rest.trim() !== "") yield { number: number + 1, text: rest.replace(/\r$/u, "") };
}

/** Reads a text until its start says enough. @returns the start, and the whole text, which can be read once. */
export async function peek(
  pieces: AsyncGenerator<string, void, void>,
  isEnough: (start: string) => boolean,
): Promise<{ readonly start: string; readonly all: AsyncGenerator<string, void, void> }> {
  let start = "";
  while (!isEnough(start)) {
    const next = await pieces.next();
    if (next.done === true) break;
    start += next.value;
  }
  return {
    start,
    all: (async function* () {
      yield start;
      yield* pieces;
    })(),
  };
}

async function* bytesOf(path: string, { stdin, onBytes }: ReadingOptions): AsyncGenerator<Uint8Array, void, void> {
  if (path === STANDARD_INPUT && stdin !== undefined) {
    yield* stdin as AsyncIterable<Uint8Array>;
    return;
  }
  const file = createReadStream(path);
  // The loop that reads it hears of a failure, too.
  const bytes = path.endsWith(".gz") ? pipeline(file, createGunzip(), () => undefined) : file;
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    onBytes?.(file.bytesRead);
    yield chunk;
  }
}

function whyUnreadable(name: string, { code = "" }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return `The file ${name} does not exist.`;
  if (code.startsWith("Z_")) return `${name} ends in .gz, but is not gzip data, or is incomplete.`;
  return `${name} cannot be read (${code}).`;
}

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
