import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { BadInput } from "../bad-input.ts";

/**
 * Reads a text file, plain or .gz.
 * @throws {BadInput}
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new BadInput(code === "ENOENT" ? `The file ${path} does not exist.` : `${path} cannot be read (${code}).`, { cause });
  });
  return decoded(path, path.endsWith(".gz") ? await unpacked(path, bytes) : bytes);
}

/**
 * Reads the non-empty lines of a text file, plain or .gz, with their line numbers, which start at 1.
 * @returns one or more
 * @throws {BadInput}
 */
export async function readLines(path: string): Promise<{ number: number; text: string }[]> {
  const lines = (await readText(path))
    .split("\n")
    .map((text, i) => ({ number: i + 1, text: text.replace(/\r$/u, "") }))
    .filter(({ text }) => text.trim() !== "");
  if (lines.length === 0) throw new BadInput(`${path} has no rows.`);
  return lines;
}

async function unpacked(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes);
  } catch (cause) {
    throw new BadInput(`${path} ends in .gz, but is not gzip data, or is incomplete.`, { cause });
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    // Also leaves out a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BadInput(`${path} is not UTF-8 text.`, { cause });
  }
}
