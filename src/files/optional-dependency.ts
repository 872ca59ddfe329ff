import { DecideError } from "../errors.ts";

/** Codes of a module that is not there: for an import, and for what a module of CommonJS requires. */
const MISSING: readonly (string | undefined)[] = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

/**
 * Loads a package that users install themselves.
 * @param purpose what needs it, as the start of a sentence
 * @throws {DecideError} `backend_unavailable` if it is not there, or cannot be loaded
 */
export async function loadOptional<T>(purpose: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (MISSING.includes((cause as NodeJS.ErrnoException).code))
      throw new DecideError("backend_unavailable", `${purpose} needs the package ${name}, which is not installed: npm install ${name}`);
    const message = `${purpose} needs the package ${name}, which could not be loaded. Install it again: npm install ${name}`;
    throw new DecideError("backend_unavailable", message, { cause });
  }
}
