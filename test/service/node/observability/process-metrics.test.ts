import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { measureProcess } from "../../../../src/service/node/observability/process-metrics.ts";

let registry: Registry;
let stop: () => void;
/** What the process's clock says, in ms. */
let nowMs = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  nowMs = 5000;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  registry = new Registry();
  stop = measureProcess(registry);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function valueOf(name: string): Promise<number> {
  const { values } = (await registry.getMetricsAsJSON()).find((metric) => metric.name === name) ?? { values: [] };
  return values[0]?.value ?? NaN;
}

/** The sampling timer fires, as late as the event loop is delayed. */
function sampled(afterMs: number): void {
  nowMs += afterMs;
  vi.advanceTimersToNextTimer();
}

test("CPU time, start and memory are those of this process", async () => {
  vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 1_500_000, system: 250_000 });
  expect(await valueOf("process_cpu_seconds_total")).toBe(1.75);
  expect(await valueOf("process_cpu_seconds_total")).toBe(1.75);
  expect(await valueOf("process_resident_memory_bytes")).toBeGreaterThan(20_000_000);
  expect(await valueOf("nodejs_heap_size_used_bytes")).toBeLessThanOrEqual(await valueOf("nodejs_heap_size_total_bytes"));
});

test("the start of the process is told in seconds since 1970", async () => {
  vi.spyOn(Date, "now").mockReturnValue(2_000_000);
  vi.spyOn(process, "uptime").mockReturnValue(500);
  const other = new Registry();
  measureProcess(other)();
  registry = other;
  expect(await valueOf("process_start_time_seconds")).toBe(1500);
});

test("the delay of the event loop is that since the last scrape", async () => {
  sampled(12);
  sampled(340);
  sampled(11);
  const lag = async (): Promise<Record<string, number | undefined>> => {
    const found = (await registry.metrics()).matchAll(/^nodejs_eventloop_lag_(\w+)_seconds (.*)$/gmu);
    return Object.fromEntries([...found].map(([, which = "", seconds]) => [which, Math.round(Number(seconds) * 1000)]));
  };
  expect(await lag()).toEqual({ p50: 12, p99: 340, max: 340 });
  sampled(15);
  expect(await lag()).toEqual({ p50: 15, p99: 15, max: 15 });
});

test("a delay right after a scrape is part of the next one", async () => {
  sampled(10);
  await registry.metrics();
  sampled(300);
  expect(await valueOf("nodejs_eventloop_lag_max_seconds")).toBeCloseTo(0.3, 2);
});
