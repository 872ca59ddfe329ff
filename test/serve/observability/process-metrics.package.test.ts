import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { measureProcess } from "../../../src/serve/observability/process-metrics.ts";
import { openFilesLimit } from "../../../src/serve/server/open-files.ts";

async function valueOf(registry: Registry, name: string): Promise<number> {
  const { values } = (await registry.getMetricsAsJSON()).find((metric) => metric.name === name) ?? { values: [] };
  return values[0]?.value ?? NaN;
}

/** Keeps the event loop busy for a time, or longer if that takes less CPU time. */
function block(ms: number): void {
  const before = process.cpuUsage();
  for (const endMs = performance.now() + ms; performance.now() < endMs || cpuMsSince(before) < ms;);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("CPU time, start and memory are those of this process", async () => {
  const registry = new Registry();
  const stop = measureProcess(registry);
  const before = await valueOf(registry, "process_cpu_seconds_total");
  block(100);
  expect((await valueOf(registry, "process_cpu_seconds_total")) - before).toBeGreaterThan(0.09);
  expect(Math.abs((await valueOf(registry, "process_start_time_seconds")) - (Date.now() / 1000 - process.uptime()))).toBeLessThan(1);
  expect(await valueOf(registry, "process_resident_memory_bytes")).toBeGreaterThan(20_000_000);
  expect(await valueOf(registry, "nodejs_heap_size_used_bytes")).toBeLessThanOrEqual(
    await valueOf(registry, "nodejs_heap_size_total_bytes"),
  );
  stop();
});

/** Lets the monitor's timer run: all timers that are due do so before an immediate. */
async function ticked(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise(setImmediate);
}

test("a delay right after a scrape is part of the next one", async () => {
  const registry = new Registry();
  const stop = measureProcess(registry);
  await ticked();
  await registry.metrics();
  block(300);
  await ticked();
  expect(await valueOf(registry, "nodejs_eventloop_lag_max_seconds")).toBeGreaterThan(0.2);
  stop();
});

test.skipIf(process.platform !== "linux")(
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
    expect(await valueOf(registry, "process_open_fds")).toBeLessThan(512);
  },
);

test("the delay of the event loop is that since the last scrape", async () => {
  const registry = new Registry();
  const stop = measureProcess(registry);
  const read = async (): Promise<number> => {
    const metrics = await registry.getMetricsAsJSON();
    return metrics.find(({ name }) => name === "nodejs_eventloop_lag_max_seconds")?.values[0]?.value ?? NaN;
  };
  // The monitor starts with the event loop.
  await ticked();
  block(300);
  await ticked();
  const first = await read();
  expect(first).toBeGreaterThan(0.2);
  expect(first).toBeLessThan(60);
  // A busy machine may delay the loop now and then, but not always.
  await expect.poll(read).toBeLessThan(first / 2);
  stop();
});
