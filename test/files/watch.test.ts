import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readRegularFile, watch } from "../../src/files/watch.ts";
import { tempDir } from "../support/temp-dir.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("looks once an interval, one look after another, until it is closed", async () => {
  const ends: (() => void)[] = [];
  const told: number[] = [];
  let looks = 0;
  const look = async (): Promise<() => void> => {
    const number = ++looks;
    await new Promise<void>((resolve) => ends.push(resolve));
    return () => told.push(number);
  };
  const watcher = watch(look, 100);
  await vi.advanceTimersByTimeAsync(1000);
  expect(looks).toBe(1);
  ends.shift()?.();
  await vi.advanceTimersByTimeAsync(99);
  expect([looks, told]).toEqual([1, [1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks).toBe(2);
  let isClosed = false;
  const closing = watcher.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect(isClosed).toBe(false);
  ends.shift()?.();
  await closing;
  await vi.advanceTimersByTimeAsync(1000);
  expect([looks, vi.getTimerCount()]).toEqual([2, 0]);
});

it("has scheduled the next look when it tells of news", async () => {
  const timers: number[] = [];
  const watcher = watch(() => Promise.resolve(() => timers.push(vi.getTimerCount())), 100);
  await vi.advanceTimersByTimeAsync(200);
  expect(timers).toEqual([1, 1]);
  await watcher.close();
});

it.skipIf(process.platform === "win32")("reads files, and refuses a device, which may never end", async () => {
  const file = join(tempDir(), "file");
  await writeFile(file, "text");
  expect(String(await readRegularFile(file))).toBe("text");
  await expect(readRegularFile("/dev/zero")).rejects.toMatchObject({ code: "ENOTFILE" });
});
