import { AddingFailed } from "../adding-failed.ts";

/** `org/name`: each part of at most 96 letters, digits, `-`, `_` and `.`. */
const MODEL = /^(?!.*(?:--|\.\.))\w(?:[\w.-]{0,94}\w)?\/\w(?:[\w.-]{0,94}\w)?$/;
/** What git allows in the name of a branch or a tag, and a file system in that of a file. */
const REVISION = /^[^\p{Cc}\s~^:?*[\\<>|"-][^\p{Cc}\s~^:?*[\\<>|"]{0,199}$/u;
/** Of a file's name in UTF-8. Most file systems take no more. */
const MOST_NAME_BYTES = 255;
const MOST_PATH_CHARACTERS = 1000;

/** @throws {AddingFailed} */
export function checkModelName(model: string): void {
  if (MODEL.test(model)) return;
  throw new AddingFailed(
    "A model of a hub is named org/name: two parts of letters, digits, -, _ and ., without -- and .. in them. Copy the name from the model's page.",
  );
}

/** @throws {AddingFailed} */
export function checkRevision(revision: string): void {
  if (REVISION.test(revision) && isSafePath(revision)) return;
  throw new AddingFailed("The revision is not the name of a branch, a tag or a commit. Copy it from the model's page, or leave it out.");
}

/**
 * Whether a path from a server stays inside the folder that it is joined to, on every system: relative, with forward slashes, without `..`, and
 * without what Windows reads as a drive or a stream.
 */
export function isSafePath(path: string): boolean {
  return (
    path.length <= MOST_PATH_CHARACTERS &&
    !/[\p{Cc}\\:]/u.test(path) &&
    path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && Buffer.byteLength(name) <= MOST_NAME_BYTES)
  );
}
