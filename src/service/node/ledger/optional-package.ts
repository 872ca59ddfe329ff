import { DecideError } from "../../../errors.ts";

/**
 * Loads a package that only part of the service needs, and that users of that part install themselves.
 * @throws {DecideError} `backend_unavailable` if it cannot be loaded.
 */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const message = `The package ${name} could not be loaded. Install it on this machine: npm install ${name}`;
    throw new DecideError("backend_unavailable", message, { cause });
  }
}
