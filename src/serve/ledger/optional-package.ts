import { DecideError } from "../../errors.ts";

/**
 * Loads a package that umpire needs for a part of its service only, and that its user installs.
 *
 * @throws DecideError `backend_unavailable` when it cannot be loaded.
 */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const message = `The package ${name} could not be loaded. Install it on this machine: npm install ${name}`;
    throw new DecideError("backend_unavailable", message, { cause });
  }
}
