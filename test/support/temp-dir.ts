import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made = new Set<string>();

/** Makes an empty folder. It is removed when the test file has ended, by `after-file.ts`. @returns its path */
export function tempDir(): string {
  const path = mkdtempSync(join(tmpdir(), "umpire-test-"));
  made.add(path);
  return path;
}

/** Removes what `tempDir` made so far. */
export function removeTempDirs(): void {
  // A process that was just ended may still be writing.
  for (const path of made) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  made.clear();
}
