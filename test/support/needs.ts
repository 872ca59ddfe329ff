import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const told = new Set<string>();

/**
 * Whether something that tests need is missing, for `test.skipIf` and `describe.skipIf`. One line says so, once a process.
 * @param what a command, such as `redis-server`, or the absolute path of a file, such as `/dev/full`
 */
export function lacks(what: string): boolean {
  return lacksIf(!isThere(what), what);
}

/** As `lacks`, for what is neither a command nor a file. @param what for example "the right to mount a file system" */
export function lacksIf(isMissing: boolean, what: string): boolean {
  if (isMissing && !told.has(what)) console.warn(`This machine lacks ${what}, so the tests that need it are skipped.`);
  if (isMissing) told.add(what);
  return isMissing;
}

function isThere(what: string): boolean {
  if (what.startsWith("/")) return existsSync(what);
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => isExecutable(join(folder, what)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
