import { afterAll, vi } from "vitest";
import { removeTempDirs } from "./temp-dir.ts";

// A setup file of each project: files of one worker share their modules and globals, so each leaves them as it found them.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  removeTempDirs();
});
