import { chmod, mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { addKey, readKeyFile, revokeKey, watchKeyFile } from "../../../../src/service/node/keys/key-file.ts";
import { decideError } from "../../../support/rejection.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { unexpected } from "./keys-folder.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = tempDir();
  file = join(folder, "keys.json");
});

const names = async (): Promise<string[]> => (await readKeyFile(file)).map(({ name }) => name);

describe("the key file", () => {
  it("stores a key's hash and limits, but not its secret", async () => {
    const { secret } = await addKey(file, {
      name: "mobile",
      expiresAt: "2099-01-01T00:00:00Z",
      models: ["umpire-2"],
      requestsPerMinute: 9,
    });
    expect(secret).toMatch(/^ump_[\w-]{43}$/u);
    expect(await readFile(file, "utf8")).not.toContain(secret.slice(4));
    await using keys = await watchKeyFile(file, { onError: unexpected });
    expect(await keys.find(secret)).toMatchObject({ name: "mobile", models: ["umpire-2"], requestsPerMinute: 9 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });

  it("loses a revoked key and keeps the others", async () => {
    for (const name of ["a", "b", "c"]) await addKey(file, { name });
    await revokeKey(file, "b");
    expect(await names()).toEqual(["a", "c"]);
  });

  it("refuses a second key of the same name, and revoking an unknown name", async () => {
    await addKey(file, { name: "a" });
    const before = await readFile(file, "utf8");
    for (const task of [() => addKey(file, { name: "a" }), () => revokeKey(file, "b"), () => addKey(file, { name: "a b" })]) {
      expect((await decideError(task)).code).toBe("invalid_request");
    }
    expect(await readFile(file, "utf8")).toBe(before);
  });

  it("keeps the mode that its owner gave it", async () => {
    await addKey(file, { name: "a" });
    await chmod(file, 0o640);
    await addKey(file, { name: "b" });
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it("is changed at the target if the path is a link", async () => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real/keys.json"), '{"keys":[]}');
    await symlink("real/keys.json", file);
    await addKey(file, { name: "a" });
    expect(await readFile(join(folder, "real/keys.json"), "utf8")).toContain('"a"');
    expect(await names()).toEqual(["a"]);
  });

  it.each([
    ["is empty", ""],
    ["is not valid JSON", '{"keys": [ump_mysecret]}'],
    ["must be an object", "[]"],
    ["keys is missing", "{}"],
    ["keys must be an array", '{"keys":{}}'],
    ["keys and nothing else", '{"keys":[],"version":1}'],
    ["keys[0].sha256", '{"keys":[{"name":"a","sha256":"ump_mysecret"}]}'],
  ])("that is damaged is refused with the reason: %s", async (what, text) => {
    await writeFile(file, text);
    for (const task of [
      () => readKeyFile(file),
      () => watchKeyFile(file, { onError: unexpected }),
      () => addKey(file, { name: "b" }),
      () => revokeKey(file, "a"),
    ]) {
      const { code, message, cause } = await decideError(task);
      expect([code, message]).toEqual(["invalid_request", expect.stringContaining(what)]);
      expect(message).toContain(file);
      expect(`${message} ${String(cause)}`).not.toContain("mysecret");
    }
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("that does not exist is an error, except when adding the first key", async () => {
    for (const task of [
      () => readKeyFile(file),
      () => watchKeyFile(file, { onError: unexpected }),
      () => revokeKey(file, "a"),
      () => addKey(join(file, "x"), { name: "a" }),
    ]) {
      expect((await decideError(task)).message).toContain("there is no such file");
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it("loses no key if many are added at a time", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => addKey(file, { name: `k${i}` })));
    expect(await names()).toHaveLength(12);
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });
});
