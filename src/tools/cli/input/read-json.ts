import { readFile } from "node:fs/promises";
import { BadInput } from "../bad-input.ts";

/** Reads a text file. @throws {BadInput} */
export async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : `the system reports ${code}`;
    throw new BadInput(`${file} cannot be read: ${why}.`, { cause });
  }
}

/** Reads a JSON file. @param expected a sentence that says what it holds @throws {BadInput} */
export async function readJsonFile(file: string, expected: string): Promise<unknown> {
  const content = await readTextFile(file);
  try {
    return JSON.parse(content.replace(/^\ufeff/u, ""));
  } catch (cause) {
    throw new BadInput(`${file} ${whyNoJson(content, cause)}. ${expected}`, { cause });
  }
}

/** With the place of the parser's error, if its message has one. The rest of that message quotes the input, which may be long. */
export function whyNoJson(content: string, cause: unknown): string {
  if (content.trim() === "") return "is empty";
  const [, position] = /position (\d+)/u.exec(String(cause)) ?? [];
  if (position === undefined) return "is not valid JSON";
  const before = content.slice(0, Number(position)).split("\n");
  return `is not valid JSON: the error is at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
