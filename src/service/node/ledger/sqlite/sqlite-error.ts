import { DecideError } from "../../../../errors.ts";

/** SQLite's primary result codes (https://sqlite.org/rescode.html), as messages for the person who runs the service. */
const REASONS: { readonly [code: string]: { readonly message: string; readonly retryable: boolean } } = {
  FULL: { message: "The disk that holds the credits is full. Free some space; no restart is needed.", retryable: true },
  BUSY: { message: "Another process locked the file of credits for too long. Try again, and find out what holds it.", retryable: true },
  IOERR: {
    message: "The disk that holds the credits failed to read or write. Check its free space, its quota and its health.",
    retryable: true,
  },
  CANTOPEN: {
    message: "The file of credits cannot be opened. Check that its folder exists, and the permissions of both.",
    retryable: false,
  },
  READONLY: { message: "The file of credits cannot be written. Check its permissions and those of its folder.", retryable: false },
  PERM: { message: "The file of credits cannot be written. Check its permissions and those of its folder.", retryable: false },
  CORRUPT: { message: "The file of credits is damaged. Stop the programs that use it, and restore it from a backup.", retryable: false },
  NOTADB: { message: "The file is not a file of credits: it is not an SQLite database, or it is damaged.", retryable: false },
};

/** Primary codes by number. An extended code has its primary code in the lowest byte, and libsql has no name for some extended codes. */
const NAMES: { readonly [rawCode: number]: string } = {
  3: "PERM",
  5: "BUSY",
  6: "BUSY",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  26: "NOTADB",
};

/** An error of SQLite as a DecideError. A DecideError is returned as it is. */
export function ledgerError(error: unknown): DecideError {
  if (DecideError.isInstance(error)) return error;
  return unavailable(nameOf(error), error);
}

/** For the error without a code that libsql throws when it cannot open a file. */
export function cannotOpen(error: unknown): DecideError {
  return unavailable("CANTOPEN", error);
}

function unavailable(name: string, error: unknown): DecideError {
  const { message, retryable } = REASONS[name] ?? { message: "The file of credits cannot be used.", retryable: false };
  return new DecideError("backend_unavailable", message, { cause: error, retryable });
}

export function isBusy(error: unknown): boolean {
  return nameOf(error) === "BUSY";
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code, rawCode } = error as Error & { readonly code?: unknown; readonly rawCode?: unknown };
  const byNumber = typeof rawCode === "number" ? NAMES[rawCode & 0xff] : undefined;
  return byNumber ?? (typeof code === "string" ? (/^SQLITE_([A-Z]+)/u.exec(code)?.[1] ?? "") : "");
}
