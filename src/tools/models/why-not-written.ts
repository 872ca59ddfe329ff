import { AddingFailed } from "./adding-failed.ts";

/** The system's errors of a disk as what a person can do about them; any other error unchanged. */
export function whyNotWritten(error: unknown): unknown {
  const { code = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return new AddingFailed(
        "The disk is full. Nothing of the model was kept; make room, or set UMPIRE_HOME to a folder on another disk.",
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new AddingFailed(
        "A file or folder cannot be read or written: this program has no permission to. Set UMPIRE_HOME to a folder that is yours.",
      );
    case "ENOTDIR":
      return new AddingFailed("The folder for the model cannot be made, because a file is in its place.");
    default:
      return error;
  }
}
