import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** @param {string} path */
export async function hashed(path) {
  return {
    path,
    sha256: createHash("sha256")
      .update(await readFile(path))
      .digest("hex"),
  };
}
