import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { OutputLock } from "../../../src/tools/run/output.ts";
import { tempDir } from "../../support/temp-dir.ts";

let folder: string;
let out: string;
beforeEach(() => {
  folder = tempDir();
  out = join(folder, "answers.jsonl");
});

const heldBy = (pid: number, host: string): Promise<void> => writeFile(`${out}.lock`, JSON.stringify({ pid, host, id: "other" }));

test("a lock is held by one, until it is released", async () => {
  await heldBy(1, hostname());
  await expect(OutputLock.take(out)).rejects.toThrow(`Another run is writing ${out}: process 1 on ${hostname()}.`);
  await rm(`${out}.lock`);
  const lock = await OutputLock.take(out);
  await lock.check();
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test("the lock of a process that died is taken over, and so is one of this process' number: a container was started again", async () => {
  await heldBy(2 ** 30, hostname());
  await (await OutputLock.take(out)).release();
  await heldBy(process.pid, hostname());
  await (await OutputLock.take(out)).release();
});

test("a lock of another machine is held as long as it is touched", async () => {
  await heldBy(2 ** 30, "another-machine");
  await expect(OutputLock.take(out)).rejects.toThrow("on another-machine");
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(`${out}.lock`, longAgo, longAgo);
  await (await OutputLock.take(out)).release();
});

test("whoever has lost the lock hears of it before it writes, and leaves the lock of the other", async () => {
  const lock = await OutputLock.take(out);
  await heldBy(1, hostname());
  await expect(lock.check()).rejects.toThrow("Another run has taken");
  await lock.release();
  expect(await readdir(folder)).toEqual(["answers.jsonl.lock"]);
  await rm(`${out}.lock`);
  await expect(lock.check()).rejects.toThrow("is gone, and perhaps its whole folder.");
});

test("of many runs at once, one gets what is left over", async () => {
  await heldBy(2 ** 30, hostname());
  const others = Array.from({ length: 20 }, () => OutputLock.take(out));
  const taken = (await Promise.allSettled(others)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const holding = await Promise.all(
    taken.map((lock) =>
      lock.check().then(
        () => true,
        () => false,
      ),
    ),
  );
  expect(holding.filter(Boolean)).toHaveLength(1);
  for (const lock of taken) await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test("a lock that is not written yet is held", async () => {
  await writeFile(`${out}.lock`, "");
  await expect(OutputLock.take(out)).rejects.toThrow(`Another run is writing ${out}. Wait for it`);
});
