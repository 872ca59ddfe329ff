import { fileURLToPath, pathToFileURL } from "node:url";
import { DecideError } from "../../../errors.ts";

/**
 * URL of the folder that `model` names, or undefined for a catalogue id. A path holds a slash or starts with a dot.
 * @throws {DecideError} `model_not_found` for a URL that names no file of this machine
 */
export function placeOf(model: string | URL): string | undefined {
  if (typeof model === "string" && !model.startsWith("file:")) {
    return /[/\\]/.test(model) || model.startsWith(".") ? asFolder(pathToFileURL(model)).href : undefined;
  }
  try {
    const url = new URL(model);
    // A file: URL can still be no path on this machine: it may name another host, or hold an encoded slash.
    fileURLToPath(url);
    return asFolder(url).href;
  } catch (cause) {
    const message = "The option model is a URL, but not the file: URL of a folder on this machine. Give such a URL, or the folder's path.";
    throw new DecideError("model_not_found", message, { cause });
  }
}

function asFolder(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.href}/`);
}
