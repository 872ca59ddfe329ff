import { chmod, chown, mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AS_USUAL, OWNER_ONLY, replaceFile } from "../../src/files/replace.ts";
import { keysFolder } from "../service/node/keys/keys-folder.ts";

const folder = keysFolder();

it("creates a file that only its owner can read, and leaves no other file behind", async () => {
  await replaceFile(folder.file, "new", OWNER_ONLY);
  expect(await readFile(folder.file, "utf8")).toBe("new");
  expect((await stat(folder.file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path)).toEqual(["keys.json"]);
});

it("creates a file for all, as other programs do, where it holds no secrets", async () => {
  await writeFile(join(folder.path, "usual"), "");
  await replaceFile(folder.file, "new", AS_USUAL);
  expect((await stat(folder.file)).mode).toBe((await stat(join(folder.path, "usual"))).mode);
});

it("puts a new file in the old one's place, so that a reader never sees a part of it", async () => {
  await writeFile(folder.file, "old");
  const before = await stat(folder.file);
  await replaceFile(folder.file, "new", OWNER_ONLY);
  expect(await readFile(folder.file, "utf8")).toBe("new");
  expect((await stat(folder.file)).ino).not.toBe(before.ino);
});

it("keeps the mode of the old file", async () => {
  await writeFile(folder.file, "old");
  await chmod(folder.file, 0o644);
  await replaceFile(folder.file, "new", OWNER_ONLY);
  expect((await stat(folder.file)).mode & 0o777).toBe(0o644);
});

it.skipIf(process.getuid?.() !== 0)("keeps the owner of the old file", async () => {
  await writeFile(folder.file, "old");
  await chown(folder.file, 65_534, 65_533);
  await replaceFile(folder.file, "new", OWNER_ONLY);
  expect(await stat(folder.file)).toMatchObject({ uid: 65_534, gid: 65_533 });
});

it("if it fails, leaves no draft behind and the place as it was", async () => {
  const occupied = join(folder.path, "folder");
  await mkdir(join(occupied, "inner"), { recursive: true });
  await expect(replaceFile(occupied, "new", OWNER_ONLY)).rejects.toMatchObject({
    code: expect.stringMatching(/^(EISDIR|ENOTEMPTY|EEXIST)$/u) as string,
  });
  expect(await readdir(folder.path)).toEqual(["folder"]);
});
