import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { DecideError } from "../../../src/errors.ts";

/** A folder of its own for each test of the calling file, and the path of a key file in it, which does not exist yet. */
export function keysFolder(): { readonly path: string; readonly file: string } {
  let path = "";
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), "umpire-keys-"));
  });
  afterEach(() => rm(path, { recursive: true }));
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
