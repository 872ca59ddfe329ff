import { mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addKey, revokeKey } from "../../../src/serve/keys/key-file.ts";
import { watchKeyFile } from "../../../src/serve/keys/watched-keys.ts";
import type { WatchedKeys } from "../../../src/serve/keys/watched-keys.ts";
import { keysFolder, unexpected } from "./keys-folder.ts";

const folder = keysFolder();

describe("watched keys", () => {
  const problems: string[] = [];
  const sizes: number[] = [];
  let keys: WatchedKeys;
  let secret: string;
  beforeEach(async () => {
    problems.length = sizes.length = 0;
    secret = (await addKey(folder.file, { name: "first" })).secret;
    keys = await watch();
  });
  afterEach(() => keys.close());
  const watch = (): Promise<WatchedKeys> =>
    watchKeyFile(folder.file, { intervalMs: 20, onError: ({ message }) => problems.push(message), onChange: (size) => sizes.push(size) });
  /** In one step, so that no half of it is ever read. */
  const replaced = async (text: string): Promise<void> => {
    await writeFile(`${folder.file}.new`, text);
    await rename(`${folder.file}.new`, folder.file);
  };
  const soon = (isTrue: () => unknown): Promise<void> => expect.poll(isTrue, { interval: 5 }).toBe(true);

  it("are added and revoked within a second at the default interval", async () => {
    const kept = await addKey(folder.file, { name: "kept" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const watched = await watchKeyFile(folder.file, { onError: unexpected });
      const added = await addKey(folder.file, { name: "added" });
      await revokeKey(folder.file, "first");
      vi.advanceTimersByTime(1000);
      // Waits for the read that has begun, and no other one begins.
      await watched.close();
      expect(await watched.find(secret)).toBeUndefined();
      expect(await watched.find(kept.secret)).toMatchObject({ name: "kept" });
      expect(await watched.find(added.secret)).toMatchObject({ name: "added" });
      expect(watched.size).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it("stay the last valid ones while the file is damaged or missing, which is reported once", async () => {
    const good = await readFile(folder.file, "utf8");
    await replaced('{"keys": [ump_secret');
    await soon(() => problems.length === 1);
    await sleep(100);
    expect(problems).toEqual([expect.stringContaining("is not valid JSON")]);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    await rm(folder.file);
    await soon(() => problems.length === 2);
    await sleep(100);
    expect(problems.slice(1)).toEqual([expect.stringContaining("there is no such file")]);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    expect(sizes).toEqual([]);
    await replaced(good);
    await soon(() => sizes.length === 1);
    await revokeKey(folder.file, "first");
    await soon(() => sizes.length === 2);
    expect(sizes).toEqual([1, 0]);
    expect(problems).toHaveLength(2);
    expect(await keys.find(secret)).toBeUndefined();
  });

  it("follow a link that is redirected, as in container secrets", async () => {
    await keys.close();
    const [one, two] = await Promise.all(
      ["one", "two"].map(async (name) => {
        await mkdir(join(folder.path, name));
        return (await addKey(join(folder.path, name, "keys.json"), { name })).secret;
      }),
    );
    await rm(folder.file);
    await symlink("one", join(folder.path, "data"));
    await symlink("data/keys.json", folder.file);
    keys = await watch();
    expect(await keys.find(one ?? "")).toMatchObject({ name: "one" });
    await symlink("two", join(folder.path, "data.new"));
    await rename(join(folder.path, "data.new"), join(folder.path, "data"));
    await soon(() => sizes.length === 1);
    expect(await keys.find(one ?? "")).toBeUndefined();
    expect(await keys.find(two ?? "")).toMatchObject({ name: "two" });
  });

  it("notice a change that leaves the file's size and time the same", async () => {
    const { atime, mtime } = await stat(folder.file);
    await writeFile(folder.file, (await readFile(folder.file, "utf8")).replace('"first"', '"third"'));
    await utimes(folder.file, atime, mtime);
    await soon(() => sizes.length === 1);
    expect(await keys.find(secret)).toMatchObject({ name: "third" });
  });

  it("do not change after they are closed", async () => {
    await keys.close();
    await revokeKey(folder.file, "first");
    await sleep(100);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    expect(sizes).toEqual([]);
  });
});
