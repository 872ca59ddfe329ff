import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { BadInput } from "../cli/bad-input.ts";
import { LineOfError } from "./line-of-error.ts";

/** What stands for standard input in place of a file. */
export const STANDARD_INPUT = "-";

/** A line, or a row of CSV, that is longer is no row of a table: memory must not grow with it. */
export const MAX_LINE_CHARACTERS = 64_000_000;

export interface ReadingOptions {
  /** What "-" stands for. */
  readonly stdin?: AsyncIterable<string | Uint8Array> | undefined;
  /** Told how many bytes of the file were read so far; of a .gz file, of the compressed ones. */
  readonly onBytes?: ((bytesRead: number) => void) | undefined;
}

/**
 * The text of a file, plain or .gz, or of standard input, in pieces.
 * @throws {BadInput}
 */
export async function* textOf(path: string, options: ReadingOptions = {}): AsyncGenerator<string, void, void> {
  const name = nameOf(path);
  // Also leaves out a byte order mark.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines = new LineOfError();
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new BadInput(`${name}, line ${lines.firstWrong(bytes)}: is not UTF-8 text. Convert the file to UTF-8 first.`, { cause });
    }
  };
  try {
    for await (const bytes of bytesOf(path, options)) {
      yield decoded(bytes);
      lines.add(bytes);
    }
  } catch (cause) {
    throw cause instanceof BadInput ? cause : new BadInput(whyUnreadable(name, cause as NodeJS.ErrnoException), { cause });
  }
  yield decoded();
}

/**
 * Reads a text file, plain or .gz, at once.
 * @throws {BadInput}
 */
export async function readText(path: string, options: ReadingOptions = {}): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of textOf(path, options)) pieces.push(piece);
  return pieces.join("");
}

/**
 * Reads the non-empty lines of a text file, plain or .gz, at once, with their line numbers, which start at 1.
 * @returns one or more
 * @throws {BadInput}
 */
export async function readLines(path: string): Promise<{ number: number; text: string }[]> {
  const lines: { number: number; text: string }[] = [];
  for await (const line of linesOf(nameOf(path), textOf(path))) lines.push(line);
  if (lines.length === 0) throw new BadInput(`${nameOf(path)} has no rows.`);
  return lines;
}

/** What messages call a file, or standard input. */
export function nameOf(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/** The non-empty lines of a text, with their line numbers, which start at 1. @param name for messages @throws {BadInput} for a line without an end */
export async function* linesOf(name: string, pieces: AsyncIterable<string>): AsyncGenerator<{ number: number; text: string }, void, void> {
  let number = 0;
  let rest = "";
  for await (const piece of pieces) {
    rest += piece;
    if (rest.length > MAX_LINE_CHARACTERS && !piece.includes("\n"))
      throw new BadInput(`${name}, line ${number + 1}: has more than ${MAX_LINE_CHARACTERS} characters. Is it a file of lines?`);
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
