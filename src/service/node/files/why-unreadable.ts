import { NOT_A_FILE } from "./file-reader.ts";

const WHY: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "it is not a folder",
  EACCES: "this program may not read it",
  [NOT_A_FILE]: "it is a pipe or a device, which cannot be followed",
};

/** Why a file or folder cannot be read, in words that follow a colon. @param error the system's */
export function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return WHY[code ?? ""] ?? `the system reports ${code}`;
}
