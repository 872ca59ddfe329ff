import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { measureProcess } from "../../../../src/service/node/observability/process-metrics.ts";
import { openFilesLimit } from "../../../../src/service/node/server/open-files.ts";
import { lacks } from "../../../support/needs.ts";

test.skipIf(process.platform !== "linux" || lacks("prlimit"))(
  "without a descriptor left, all metrics are still there: as many are open as may be",
  async () => {
    const limit = openFilesLimit() ?? 0;
    const setLimit = (soft: number): void => void execFileSync("prlimit", [`--nofile=${soft}:`, "--pid", String(process.pid)]);
    const registry = new Registry();
    const opened: number[] = [];
    setLimit(512);
    const stop = measureProcess(registry);
    try {
      for (;;) opened.push(openSync("/dev/null", "r"));
    } catch (error) {
      expect(error).toMatchObject({ code: "EMFILE" });
    }
    const text = await registry.metrics().finally(() => {
      for (const descriptor of opened) closeSync(descriptor);
      setLimit(limit);
      stop();
    });
    expect(text).toMatch(/^process_open_fds 512$/mu);
    expect(text).toMatch(/^process_max_fds 512$/mu);
    expect(text).toMatch(/^process_resident_memory_bytes NaN$/imu);
    expect(Number(/^process_open_fds (\d+)$/mu.exec(await registry.metrics())?.[1])).toBeLessThan(512);
  },
);
