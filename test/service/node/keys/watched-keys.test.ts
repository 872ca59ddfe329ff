import { chmod, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addKey, revokeKey, watchKeyFile } from "../../../../src/service/node/keys/key-file.ts";
import type { WatchedKeys } from "../../../../src/service/node/keys/key-file.ts";
import { decideError } from "../../../support/rejection.ts";
import { keysFolder, unexpected } from "./keys-folder.ts";

const folder = keysFolder();
const INTERVAL_MS = 20;
const GRACE_MS = 150;

describe("watched keys", () => {
  const problems: string[] = [];
  const warnings: string[] = [];
  const sizes: number[] = [];
  let keys: WatchedKeys;
  let secret: string;
  beforeEach(async () => {
    // The clock stands still unless a test turns it.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    problems.length = warnings.length = sizes.length = 0;
    secret = (await addKey(folder.file, { name: "first" })).secret;
    keys = await watch();
  });
  afterEach(async () => {
    await keys.close();
    vi.useRealTimers();
  });
  const watch = (): Promise<WatchedKeys> =>
    watchKeyFile(folder.file, {
      intervalMs: INTERVAL_MS,
      graceMs: GRACE_MS,
      onError: ({ code, message }) => problems.push(`${code}: ${message}`),
      onWarning: (message) => warnings.push(message),
      onChange: (size) => sizes.push(size),
    });
  /** In one step, so that no half of it is ever read. */
  const replaced = async (text: string): Promise<void> => {
    await writeFile(`${folder.file}.new`, text);
    await rename(`${folder.file}.new`, folder.file);
  };
  /** Lets so many looks at the file happen, one after the other. The next one is scheduled when one is over. */
  const looks = async (count: number): Promise<void> => {
    for (let look = 0; look < count; look++) {
      vi.advanceTimersByTime(INTERVAL_MS);
      while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    }
  };
  const soon = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await looks(1);
  };

  const revokedIn = async (text: string): Promise<void> => {
    await replaced(text);
    await soon(() => sizes.length === 1);
    expect(await keys.find(secret)).toBeUndefined();
  };

  it("are added and revoked within a second at the default interval", async () => {
    const kept = await addKey(folder.file, { name: "kept" });
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
  });

  it("stay the last valid ones while the file is damaged, which is reported once", async () => {
    await replaced('{"keys": [ump_secret');
    await soon(() => problems.length === 1);
    // Longer than a file that cannot be read is borne with.
    await looks(GRACE_MS / INTERVAL_MS + 2);
    expect(problems).toEqual([expect.stringMatching(/^invalid_request: .* is not valid JSON/u)]);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    expect(sizes).toEqual([]);
    await revokedIn('{"keys":[]}');
  });

  it.each([
    ["was deleted", "there is no such file", () => rm(folder.file)],
    ["is a folder", "it is a folder", () => rm(folder.file).then(() => mkdir(folder.file))],
    ["is a link to itself", "the system reports ELOOP", () => rm(folder.file).then(() => symlink("keys.json", folder.file))],
  ])("let nobody in while the file %s, which is reported once, until it can be read again", async (_, why, change) => {
    const good = await readFile(folder.file, "utf8");
    await change();
    await soon(() => problems.length === 1);
    expect(problems).toEqual([expect.stringMatching(/^backend_unavailable: /u)]);
    expect(problems[0]).toContain(why);
    // As some editors leave it for a moment.
    vi.advanceTimersByTime(INTERVAL_MS);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    await looks(GRACE_MS / INTERVAL_MS);
    const refused = await decideError(() => keys.find(secret));
    expect(refused).toMatchObject({ code: "backend_unavailable", status: 503, retryable: true });
    // The client is not told the path, the log is.
    expect(refused.message).not.toContain(folder.path);
    expect(String(refused.cause)).toContain(folder.file);
    expect(problems).toHaveLength(1);
    await rm(folder.file, { force: true, recursive: true });
    await replaced(good);
    await soon(() => sizes.length === 1);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
  });

  it.skipIf(process.platform === "win32")("warn once if other users may read or write the file", async () => {
    expect(warnings).toEqual([]);
    await chmod(folder.file, 0o640);
    await chmod(folder.file, 0o644);
    await soon(() => warnings.length === 1);
    expect(warnings[0]).toMatch(/may read the key file .* \(its mode is 644\)/u);
    await chmod(folder.file, 0o620);
    await soon(() => warnings.length === 2);
    expect(warnings[1]).toMatch(/may write the key file/u);
    await keys.close();
    keys = await watch();
    expect(warnings).toHaveLength(3);
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
    vi.advanceTimersByTime(10 * INTERVAL_MS);
    expect(vi.getTimerCount()).toBe(0);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    expect(sizes).toEqual([]);
  });
});
