import { DecideError } from "../errors.ts";
import { version } from "../version.ts";

/**
 * The caller's script and the worker's are separate files, and may come from different versions: a page after a partial deployment or with an old
 * file in a cache, a Node program whose package was updated while it ran.
 * @throws {DecideError} `backend_unavailable` when the caller's version is not the worker's own
 */
export function checkSameVersion(callerVersion: string): void {
  if (callerVersion === version) return;
  const message = `umpire's script has version ${callerVersion}, but its worker has version ${version}. In a page: serve the folder dist/umpire/ of the same version, clear caches, and reload. On Node: restart the program, or install umpire again.`;
  throw new DecideError("backend_unavailable", message);
}
