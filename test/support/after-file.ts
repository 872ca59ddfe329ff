import { afterAll, vi } from "vitest";
import { removeTempDirs } from "./temp-dir.ts";

const clock = globalThis.setTimeout;

// A setup file of each project: files of one worker share their modules and globals, so each leaves them as it found them.
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  removeTempDirs();
  // The next file would wait for ever.
  if (globalThis.setTimeout !== clock) {
    globalThis.setTimeout = clock;
    throw new Error("This file leaves a setTimeout that is not the real one.");
  }
});
