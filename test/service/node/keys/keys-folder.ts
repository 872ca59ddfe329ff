import { join } from "node:path";
import { beforeEach } from "vitest";
import type { DecideError } from "../../../../src/errors.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** A folder of its own for each test of the calling file, and the path of a key file in it, which does not exist yet. */
export function keysFolder(): { readonly path: string; readonly file: string } {
  let path = "";
  beforeEach(() => {
    path = tempDir();
  });
  return {
    get path() {
      return path;
    },
    get file() {
      return join(path, "keys.json");
    },
  };
}

export function unexpected(error: DecideError): never {
  throw error;
}
