import { existsSync } from "node:fs";
import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { badInput, inWords } from "../../tool-error.ts";

/** @throws {ToolError} if the file could not be written: better before the work than after it. Folders that are missing can be made. */
export async function checkWritable(file: string): Promise<void> {
  const path = resolve(file);
  let place = path;
  while (!existsSync(place)) place = dirname(place);
  const isFolder = (await stat(place)).isDirectory();
  if (place === path && isFolder) throw badInput(`${file} is a folder: name a file in it.`);
  if (place !== path && !isFolder) throw badInput(`${file} cannot be written: ${place} is a file, and no folder.`);
  await access(place, constants.W_OK).catch(throwUnwritable(file));
}

/** Makes the folders of a file that is about to be written. @throws {ToolError} */
export async function makeFolderOf(file: string): Promise<void> {
  await mkdir(dirname(resolve(file)), { recursive: true }).catch(throwUnwritable(file));
}

const throwUnwritable = (file: string): ((error: unknown) => never) => inWords((why) => `${file} cannot be written: ${why}.`, 2);
