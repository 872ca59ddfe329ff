import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMissing, whyNotListening, whyUnreadable, whyUnwritable } from "../../src/files/system-errors.ts";
import { tempDir } from "../support/temp-dir.ts";

const failure = (code: string): Error => Object.assign(new Error(code), { code });
const thrown = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test("a file that is not there, and a folder, are told by what the system throws", async () => {
  const folder = tempDir();
  const missing = await thrown(readFile(join(folder, "none")));
  expect([isMissing(missing), whyUnreadable(missing)]).toEqual([true, "there is no such file"]);
  const isFolder = await thrown(readFile(folder));
  expect([isMissing(isFolder), whyUnreadable(isFolder)]).toEqual([false, "it is a folder"]);
  expect(whyUnwritable(await thrown(writeFile(join(folder, "none", "file"), "")))).toBe("the folder is gone");
});

test("a code without words of its own is told as it is when reading, and is nobody's fault when writing", () => {
  expect(whyUnreadable(failure("ELOOP"))).toBe("the system reports ELOOP");
  expect(whyUnreadable(new Error("other"))).toBe("for a reason that the system does not tell");
  expect([failure("ECONNRESET"), new Error("other"), undefined].map(whyUnwritable)).toEqual([undefined, undefined, undefined]);
});

test.each([
  ["EADDRINUSE", /^Port 80 of here is in use/u],
  ["EACCES", /^This user may not listen on port 80/u],
  ["ENOTFOUND", /^here is not an address of this machine/u],
])("a server that cannot listen for %s gets advice", (code, advice) => {
  expect(whyNotListening(failure(code), "here", 80)).toMatch(advice);
  expect(whyNotListening(failure("EPIPE"), "here", 80)).toBeUndefined();
});
