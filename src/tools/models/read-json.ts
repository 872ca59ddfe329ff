import { readFile } from "node:fs/promises";
import { isPlainObject } from "../../library/validation/shape.ts";
import { AddingFailed } from "./adding-failed.ts";
import type { ModelSource } from "./source.ts";

/** An object as JSON has it, nothing of which has been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The largest tokenizers have 20 MB. */
const MAX_BYTES = 200_000_000;

/**
 * Reads a JSON file of a model.
 * @returns undefined if the model has no such file
 * @throws {AddingFailed} if it is no JSON object
 */
export async function readJson(source: ModelSource, path: string, signal: AbortSignal | undefined): Promise<JsonObject | undefined> {
  const file = source.files.find((one) => one.path === path);
  if (file === undefined) return undefined;
  if (file.sizeBytes > MAX_BYTES) throw new AddingFailed(`${path} has ${file.sizeBytes} bytes, more than any such file.`);
  const text = await readFile(await source.fetch(path, signal), "utf8");
  if (isLfsPointer(text)) throw lfsPointer(path);
  try {
    const value: unknown = JSON.parse(text);
    if (isPlainObject(value)) return value;
  } catch {
    // Said below: the parser's message quotes the file.
  }
  throw new AddingFailed(`${path} is not a JSON object. Download the model again.`);
}

const LFS = "version https://git-lfs.github.com/spec/";

/** Whether a file is only git's note of where its content lies. */
export function isLfsPointer(text: string): boolean {
  return text.startsWith(LFS);
}

export function lfsPointer(path: string): AddingFailed {
  return new AddingFailed(
    `${path} is only a pointer of git-lfs, not the file itself. Run "git lfs pull" in the model's folder, or download the file from the hub.`,
  );
}
