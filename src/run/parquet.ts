import { CommandFailed } from "../cli/command-failed.ts";

/** Loads a library that users install themselves. @throws {CommandFailed} if it is not there */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new CommandFailed(`Parquet needs the package ${name}, which is not installed: npm install ${name}`, { cause });
  }
}
