import { access, constants, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { badInput } from "../../tool-error.ts";

/** @throws {ToolError} if the file could not be written: better before the work than after it. */
export async function checkWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw badInput(`${file} is a folder: name a file in it.`);
  // A new file is written to its folder.
  await access(found === undefined ? dirname(resolve(file)) : file, constants.W_OK).catch((cause: unknown) => {
    throw badInput(`${file} cannot be written: ${whyNot(cause as NodeJS.ErrnoException)}.`, { cause });
  });
}

function whyNot({ code }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such folder";
  return code === "EACCES" ? "this user may not write there" : `the system reports ${code}`;
}
