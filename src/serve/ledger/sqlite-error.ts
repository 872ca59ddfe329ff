import { DecideError } from "../../errors.ts";

/** What SQLite's primary result codes mean to whoever runs the service: https://sqlite.org/rescode.html */
const REASONS: { readonly [code: string]: { readonly message: string; readonly retryable: boolean } } = {
  FULL: { message: "The disk that holds the credits is full. Free some space; nothing needs to be restarted.", retryable: true },
  BUSY: { message: "The file of credits was locked by another process for too long. Try again; see what holds it.", retryable: true },
  IOERR: { message: "The disk that holds the credits failed to read or write. Look at its space, quota and health.", retryable: true },
  CANTOPEN: {
    message: "The file of credits cannot be opened. Look at its folder, its permissions and those of its folder.",
    retryable: false,
  },
  READONLY: { message: "The file of credits cannot be written. Look at its permissions, and those of its folder.", retryable: false },
  PERM: { message: "The file of credits cannot be written. Look at its permissions, and those of its folder.", retryable: false },
  CORRUPT: { message: "The file of credits is damaged. Stop what uses it and restore it from a backup.", retryable: false },
  NOTADB: { message: "The file of credits is none: it is no SQLite database, or a damaged one.", retryable: false },
};

/** Primary codes by number; extended codes have them in their lowest byte, and libsql has no names for some of these. */
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

/** An error of SQLite in the words of the service; a DecideError stays what it is. */
export function ledgerError(error: unknown): DecideError {
  if (DecideError.isInstance(error)) return error;
  return unavailable(nameOf(error), error);
}

/** For what libsql throws without a code when it cannot open a file. */
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
