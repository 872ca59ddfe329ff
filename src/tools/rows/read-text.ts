import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { whyUnreadable } from "../../files/system-errors.ts";
import { badInput, ToolError } from "../tool-error.ts";

export const STANDARD_INPUT = "-";

/** A line, or a row of CSV, that is longer is no row of a table: memory must not grow with it. */
export const MAX_LINE_CHARACTERS = 64_000_000;

export interface ReadingOptions {
  readonly stdin?: AsyncIterable<string | Uint8Array> | undefined;
  /** Told how many bytes of the file were read so far; of a .gz file, of the compressed ones. */
  readonly onBytes?: ((bytesRead: number) => void) | undefined;
}

/** Kinds of files by their first bytes, and what to do with each. The longer beginnings stand first. */
const KINDS: readonly (readonly [first: string, what: string])[] = [
  ["fffe0000", "is in UTF-32. Convert it to UTF-8 first"],
  ["0000feff", "is in UTF-32. Convert it to UTF-8 first"],
  ["504b0304", "is a ZIP archive, as an Excel workbook is. Save it as CSV (UTF-8), or unpack it"],
  ["d0cf11e0", "is an Excel workbook. Save it as CSV (UTF-8)"],
  ["50415231", "is a Parquet file. Name it with .parquet"],
  ["28b52ffd", "is compressed by Zstandard. Unpack it first, or compress it by gzip"],
  ["1f8b", "is compressed by gzip. Name it with .gz at the end"],
];
const UTF16_MARKS: readonly (readonly [first: string, encoding: string])[] = [
  ["fffe", "utf-16le"],
  ["feff", "utf-16be"],
];
const MARK_BYTES = 4;

/** The ends of lines, as editors count lines. */
export const LINE_END = /\r\n|\r|\n/u;

/**
 * The text of a file, plain or .gz, or of standard input, in pieces, without a byte order mark: UTF-8, or UTF-16 that begins with its mark.
 * @throws {ToolError} for every other encoding, with what it may be
 */
export async function* textOf(path: string, options: ReadingOptions = {}): AsyncGenerator<string, void, void> {
  const name = nameOf(path);
  let decoder: TextDecoder | undefined;
  let line = 1;
  let last = "";
  const count = (text: string): void => {
    line += (last + text).split(LINE_END).length - 1 - (last === "" ? 0 : 1);
    // A line feed may follow.
    last = text.endsWith("\r") ? "\r" : "";
  };
  const decoded = (bytes?: Uint8Array): string => {
    try {
      const text = decoder?.decode(bytes, { stream: bytes !== undefined }) ?? "";
      count(text);
      return text;
    } catch (cause) {
      if (decoder?.encoding !== "utf-8") throw badInput(`${name} begins as UTF-16 text, and is damaged.`, { cause });
      count(new TextDecoder().decode(bytes).split("\ufffd", 1).join(""));
      const wrong = bytes === undefined ? "ends within a character" : "is not UTF-8 text, but perhaps Windows-1252 or Latin-1";
      throw badInput(`${name}, line ${line}: ${wrong}. Convert the file to UTF-8 first.`, { cause });
    }
  };
  let start: Uint8Array = new Uint8Array();
  const begun = (): string => {
    decoder = new TextDecoder(encodingOf(name, start), { fatal: true });
    // Files that were joined, and careless programs, have more than the one mark that a decoder leaves out.
    return decoded(start).replace(/^\ufeff+/u, "");
  };
  try {
    for await (const bytes of bytesOf(path, options)) {
      start = decoder !== undefined || start.length === 0 ? bytes : Buffer.concat([start, bytes]);
      if (decoder !== undefined) yield decoded(bytes);
      else if (start.length >= MARK_BYTES) yield begun();
    }
  } catch (cause) {
    throw cause instanceof ToolError ? cause : badInput(whyNoText(name, cause as NodeJS.ErrnoException), { cause });
  }
  if (decoder === undefined) yield begun();
  yield decoded();
}

/** @throws {ToolError} for what is no text, or has no mark that says how it is to be read */
function encodingOf(name: string, start: Uint8Array): string {
  const first = Buffer.from(start.subarray(0, MARK_BYTES)).toString("hex");
  const [, what] = KINDS.find(([bytes]) => first.startsWith(bytes)) ?? [];
  if (what !== undefined) throw badInput(`${name} ${what}.`);
  const [, marked] = UTF16_MARKS.find(([bytes]) => first.startsWith(bytes)) ?? [];
  if (marked === undefined && looksLikeUtf16(start))
    throw badInput(`${name} is not UTF-8 text, but probably UTF-16 without its byte order mark. Convert it to UTF-8 first.`);
  return marked ?? "utf-8";
}

const SNIFFED_BYTES = 1000;

/** UTF-16 of most scripts has a small number as every second byte, which in UTF-8 would be control characters. Zeros that a crash left are beside each other. */
function looksLikeUtf16(start: Uint8Array): boolean {
  const counts = [0, 0];
  const seen = start.subarray(0, SNIFFED_BYTES);
  seen.forEach((byte, i) => {
    if (byte < 9) counts[i % 2] = (counts[i % 2] ?? 0) + 1;
  });
  const [few = 0, many = 0] = counts.sort((a, b) => a - b);
  return seen.length >= MARK_BYTES && many > 0.4 * (seen.length / 2) && few < many / 4;
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

/**
 * The non-empty lines of a text, with their line numbers, which start at 1. @param name for messages
 * @throws {ToolError} for a line without an end
 */
export async function* linesOf(name: string, pieces: AsyncIterable<string>): AsyncGenerator<{ number: number; text: string }, void, void> {
  let number = 0;
  let rest = "";
  for await (const piece of withEnd(pieces)) {
    rest += piece;
    if (rest.length > MAX_LINE_CHARACTERS && !LINE_END.test(piece))
      throw badInput(`${name}, line ${number + 1}: has more than ${MAX_LINE_CHARACTERS} characters. Is it a file of lines?`);
    // The next piece may begin with the other half of a line end.
    if (!LINE_END.test(piece) || piece.endsWith("\r")) continue;
    const lines = rest.includes("\r") ? rest.split(LINE_END) : rest.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      number++;
      if (text.trim() !== "") yield { number, text };
    }
  }
}

async function* withEnd(pieces: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  yield* pieces;
  yield "\n";
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
  const bytes = /\.gz$/iu.test(path) ? pipeline(file, createGunzip(), () => undefined) : file;
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    onBytes?.(file.bytesRead);
    yield chunk;
  }
}

function whyNoText(name: string, cause: NodeJS.ErrnoException): string {
  if (cause.code?.startsWith("Z_") === true) return `${name} ends in .gz, but is not gzip data, or is incomplete.`;
  return `${name} cannot be read: ${whyUnreadable(cause)}.`;
}
