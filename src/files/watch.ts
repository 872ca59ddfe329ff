import { readFile, stat } from "node:fs/promises";
import { DecideError } from "../errors.ts";

/** Follows a file or a folder until it is closed. */
export interface Watcher extends AsyncDisposable {
  /** Once this has resolved, nothing is looked at any more. */
  close(): Promise<void>;
}

/**
 * Looks again and again, one look after another, and does not keep the program alive. The system's own events are not used: they miss a link that is redirected,
 * as in container secrets, and folders of other machines.
 * @param look returns what then tells of news. That runs once the next look is scheduled: an error thrown by a listener is not caught, and ends no looks.
 */
export function watch(look: () => Promise<() => void>, intervalMs: number): Watcher {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const schedule = (): void => {
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = look().then((tell) => {
        schedule();
        tell();
      });
    }, intervalMs).unref();
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    clearTimeout(timer);
    await looking;
  };
  schedule();
  return { close, [Symbol.asyncDispose]: close };
}

/** Reads a file that is to be followed. @throws the system's error; one with the code `ENOTFILE` for a pipe or a device, which may never end */
export async function readRegularFile(path: string): Promise<Buffer> {
  const found = await stat(path);
  if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error("not a file"), { code: "ENOTFILE" });
  return readFile(path);
}

/** The value of a JSON file. @param what the file in words, as the start of a sentence @throws {DecideError} `invalid_request` for what is not JSON. */
export function parseJsonFile(what: string, bytes: Buffer): unknown {
  const text = bytes.toString("utf8").replace(/^\ufeff/u, "");
  try {
    return JSON.parse(text);
  } catch {
    // The parser's error is not kept as the cause: it quotes the text, which may contain a secret by mistake.
    throw new DecideError("invalid_request", `${what} ${text.trim() === "" ? "is empty" : "is not valid JSON"}.`);
  }
}
