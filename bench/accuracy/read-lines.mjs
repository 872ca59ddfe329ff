import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { BadInput } from "./bad-input.mjs";

/**
 * Reads the non-empty lines of a text file, plain or .gz, with their line numbers, which start at 1.
 * @param {string} path
 * @returns {Promise<{ number: number, text: string }[]>} one or more
 * @throws {BadInput}
 */
export async function readLines(path) {
  const bytes = await readFile(path).catch((cause) => {
    throw new BadInput(cause.code === "ENOENT" ? `The file ${path} does not exist.` : `${path} cannot be read (${cause.code}).`, { cause });
  });
  const whole = path.endsWith(".gz") ? await unpacked(path, bytes) : bytes;
  const lines = decoded(path, whole)
    .split("\n")
    .map((text, i) => ({ number: i + 1, text: text.replace(/\r$/, "") }))
    .filter(({ text }) => text.trim() !== "");
  if (lines.length === 0) throw new BadInput(`${path} has no rows.`);
  return lines;
}

/**
 * Reads the JSON values of a .jsonl file.
 * @param {string} path
 * @returns {Promise<{ line: number, value: unknown }[]>} one or more
 * @throws {BadInput}
 */
export async function readJsonLines(path) {
  return (await readLines(path)).map(({ number, text }) => {
    try {
      return { line: number, value: JSON.parse(text) };
    } catch {
      // JSON.parse's own message would quote the text.
      throw new BadInput(`${path}, line ${number}: must be one JSON object, but is not valid JSON (${text.length} characters).`);
    }
  });
}

async function unpacked(path, bytes) {
  try {
    return await promisify(gunzip)(bytes);
  } catch (cause) {
    throw new BadInput(`${path} ends in .gz, but is not gzip data, or is incomplete.`, { cause });
  }
}

function decoded(path, bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BadInput(`${path} is not UTF-8 text.`, { cause });
  }
}
