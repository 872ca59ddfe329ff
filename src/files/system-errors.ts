/** The system's errors in words for the person who can do something about them. */

const CANNOT_READ: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "it is not a folder",
  EACCES: "this program may not read it",
  ERR_ACCESS_DENIED: "Node's permission model keeps this program from it",
  ENOTFILE: "it is a pipe or a device, which cannot be followed",
};

const CANNOT_WRITE: { readonly [code: string]: string } = {
  ENOSPC: "the disk is full",
  EDQUOT: "this user's share of the disk is full",
  EFBIG: "the file is larger than the system allows",
  EROFS: "the disk is read-only",
  EIO: "the disk fails, or is gone",
  ESTALE: "the folder is gone: it was on another machine",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOENT: "the folder is gone",
  ENOTDIR: "a file is where its folder should be",
  EMFILE: "too many files are open",
  EBUSY: "another program uses it",
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? "";

/** Whether an error says that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** Why a file or folder cannot be read, in words that follow a colon. */
export function whyUnreadable(error: unknown): string {
  const code = codeOf(error);
  return CANNOT_READ[code] ?? (code === "" ? "for a reason that the system does not tell" : `the system reports ${code}`);
}

/** Why something cannot be written, in words that follow a colon; undefined for an error that is not that of a disk. */
export function whyUnwritable(error: unknown): string | undefined {
  return CANNOT_WRITE[codeOf(error)];
}

/** Why a server of the command line cannot listen, with advice; undefined for any other error. */
export function whyNotListening(error: unknown, host: string, port: number): string | undefined {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Choose another one with --port, or stop the program that uses it.`;
    case "EACCES":
      return `This user may not listen on port ${port}. Ports below 1024 are often reserved: choose another one with --port.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not an address of this machine. Choose one with --host, or 0.0.0.0 for all its addresses.`;
    default:
      return undefined;
  }
}

/** The value of a promise of the file system; undefined if there is no such file or folder. */
export async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch((error: unknown) => {
    if (isMissing(error) || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  });
}
