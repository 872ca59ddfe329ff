import { CommandFailed } from "../cli/command-failed.ts";

/** Codes of a module that is not there: for an import, and for what a module of CommonJS requires. */
const MISSING: readonly (string | undefined)[] = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

/**
 * Loads a library that users install themselves.
 * @param purpose what needs it, as the start of a sentence
 * @throws {CommandFailed} if it is not there
 */
export async function loadPeer<T>(purpose: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!MISSING.includes((cause as NodeJS.ErrnoException).code)) throw cause;
    throw new CommandFailed(`${purpose} needs the package ${name}, which is not installed: npm install ${name}`, { cause });
  }
}
