import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { BadInput } from "../bad-input.ts";

/** What stands for standard input in place of a file. */
export const STANDARD_INPUT = "-";

/**
 * The text of a file, plain or .gz, or of standard input, in pieces.
 * @throws {BadInput}
 */
export async function* textOf(path: string): AsyncGenerator<string, void, void> {
  const name = nameOf(path);
  // Also leaves out a byte order mark.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new BadInput(`${name} is not UTF-8 text.`, { cause });
    }
  };
  try {
    for await (const bytes of bytesOf(path)) yield decoded(bytes);
  } catch (cause) {
    throw cause instanceof BadInput ? cause : new BadInput(whyUnreadable(name, cause as NodeJS.ErrnoException), { cause });
  }
  yield decoded();
}

/**
 * Reads a text file, plain or .gz, at once.
 * @throws {BadInput}
 */
export async function readText(path: string): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of textOf(path)) pieces.push(piece);
  return pieces.join("");
}

/**
 * Reads the non-empty lines of a text file, plain or .gz, at once, with their line numbers, which start at 1.
 * @returns one or more
 * @throws {BadInput}
 */
export async function readLines(path: string): Promise<{ number: number; text: string }[]> {
  const lines: { number: number; text: string }[] = [];
  for await (const line of linesOf(textOf(path))) lines.push(line);
  if (lines.length === 0) throw new BadInput(`${nameOf(path)} has no rows.`);
  return lines;
}

/** What messages call a file, or standard input. */
export function nameOf(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/** The non-empty lines of a text, with their line numbers, which start at 1. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<{ number: number; text: string }, void, void> {
  let number = 0;
  let rest = "";
  for await (const piece of pieces) {
    rest += piece;
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

function bytesOf(path: string): AsyncIterable<Uint8Array> {
  if (path === STANDARD_INPUT) return process.stdin as AsyncIterable<Uint8Array>;
  const file = createReadStream(path);
  if (!path.endsWith(".gz")) return file as AsyncIterable<Uint8Array>;
  // The loop that reads it hears of a failure, too.
  return pipeline(file, createGunzip(), () => undefined) as AsyncIterable<Uint8Array>;
}

function whyUnreadable(name: string, { code = "" }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return `The file ${name} does not exist.`;
  if (code.startsWith("Z_")) return `${name} ends in .gz, but is not gzip data, or is incomplete.`;
  return `${name} cannot be read (${code}).`;
}
