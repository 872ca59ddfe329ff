import { CommandFailed } from "../command-failed.ts";

/** Failures of disks, and what they mean. */
const WHY: { readonly [code: string]: string } = {
  ENOSPC: "the disk is full",
  EDQUOT: "this user's share of the disk is full",
  EFBIG: "the file is larger than the system allows",
  EROFS: "the disk is read-only",
  EIO: "the disk fails, or is gone",
  ESTALE: "the folder is gone: it was on another machine",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOENT: "the folder is gone",
};

/** The failure of a run whose results cannot be written, with what to do next. An error of another kind is returned as it is. */
export function whyNotWritten(out: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || syscall === undefined) return error;
  const why = WHY[code] ?? `the system reports ${code}`;
  return new CommandFailed(`${out} cannot be written: ${why}. What is done is safe: once that is mended, the same command goes on.`, {
    cause: error,
  });
}
