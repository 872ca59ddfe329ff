import { AddingFailed } from "../adding-failed.ts";

/** What went wrong with the cache's files, for people. Errors of other kinds are returned as they are. */
export function cacheFailure(error: unknown, cacheFolder: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof AddingFailed || code === undefined || syscall === undefined) return error;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new AddingFailed(
      `The disk of the hub's cache ${cacheFolder} is full (${code}). Free some space, or set HF_HUB_CACHE to a folder on another disk, and run the command again.`,
      { cause: error },
    );
  }
  return new AddingFailed(
    `The hub's cache ${cacheFolder} cannot be used (${code}). See that you may write to it, or set HF_HUB_CACHE to a folder of your own.`,
    { cause: error },
  );
}
