import { readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { withFileLock } from "../../src/files/lock.ts";
import { decideError } from "../support/rejection.ts";
import { keysFolder } from "../service/node/keys/keys-folder.ts";

/** Larger than any process id on Linux. */
const DEAD_PID = 2 ** 30;

const folder = keysFolder();
const lockFile = (): string => join(folder.path, "lock");

/** A task that records how many run at the same time. */
function counted(): { readonly task: () => Promise<void>; readonly most: () => number } {
  let inside = 0;
  let most = 0;
  return {
    most: () => most,
    task: async () => {
      most = Math.max(most, ++inside);
      await sleep(1);
      inside--;
    },
  };
}

it("runs one task at a time, returns its result, and removes the lock", async () => {
  const { task, most } = counted();
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      withFileLock(lockFile(), async () => {
        await task();
        return i;
      }),
    ),
  );
  expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(most()).toBe(1);
  expect(await readdir(folder.path)).toEqual([]);
});

it("releases the lock if the task fails", async () => {
  await expect(withFileLock(lockFile(), () => Promise.reject(new Error("task failed")))).rejects.toThrow("task failed");
  expect(await withFileLock(lockFile(), () => Promise.resolve("next"))).toBe("next");
});

it("while it is held, the lock file says by whom", async () => {
  const content = await withFileLock(lockFile(), () => readFile(lockFile(), "utf8"));
  expect(JSON.parse(content)).toMatchObject({ pid: process.pid, host: hostname() });
});

it("lets only one of many waiting processes take over the lock of a dead one", async () => {
  const { task, most } = counted();
  for (let round = 0; round < 20; round++) {
    await writeFile(lockFile(), JSON.stringify({ pid: DEAD_PID, host: hostname(), id: `dead${round}` }));
    await Promise.all(Array.from({ length: 6 }, () => withFileLock(lockFile(), task, 120_000)));
  }
  expect(most()).toBe(1);
  expect(await readdir(folder.path)).toEqual([]);
});

it.each([
  ["a living process", { pid: process.ppid, host: hostname(), id: "1" }],
  ["a process on another machine", { pid: DEAD_PID, host: "elsewhere", id: "2" }],
])("does not take the lock of %s, and says who holds it", async (_, holder) => {
  await writeFile(lockFile(), JSON.stringify(holder));
  const { code, retryable, message } = await decideError(() => withFileLock(lockFile(), () => Promise.resolve(), 50));
  expect([code, retryable]).toEqual(["overloaded", true]);
  expect(message).toContain(`process ${holder.pid} on ${holder.host}`);
  expect(await readdir(folder.path)).toEqual(["lock"]);
});

it("does not take a lock file that another program wrote", async () => {
  await writeFile(lockFile(), "locked");
  expect(await decideError(() => withFileLock(lockFile(), () => Promise.resolve(), 50))).toMatchObject({ code: "overloaded" });
  expect(await readFile(lockFile(), "utf8")).toBe("locked");
});
