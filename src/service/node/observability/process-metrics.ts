import { createHistogram } from "node:perf_hooks";
import type { RecordableHistogram } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import { openFiles, openFilesLimit } from "../server/open-files.ts";

/** Time between two samples of the event loop's delay. */
const SAMPLE_MS = 10;

/**
 * Adds the usual metrics of a process, under their usual names. prom-client's own collectors are not used, because they start observers that cannot
 * be stopped.
 * @returns a function that stops measuring
 */
export function measureProcess(registry: Registry): () => void {
  const registers = [registry];
  const { delay, stop } = sampleDelay();
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(readOrNaN(read));
      },
    });
  };
  new Counter({
    name: "process_cpu_seconds_total",
    help: "User and system CPU time of all threads.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const startSeconds = Date.now() / 1000 - process.uptime();
  gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", () => startSeconds);
  gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  gauge("nodejs_heap_size_used_bytes", "JavaScript heap in use.", () => getHeapStatistics().used_heap_size);
  gauge("nodejs_heap_size_total_bytes", "JavaScript heap reserved.", () => getHeapStatistics().total_heap_size);
  gauge("nodejs_external_memory_bytes", "Memory of objects outside the JavaScript heap.", () => getHeapStatistics().external_memory);
  const limit = openFilesLimit();
  if (limit !== undefined) {
    gauge("process_max_fds", "Limit of open file descriptors.", () => limit);
    gauge("process_open_fds", "Open file descriptors.", () => openFilesWithin(limit));
  }
  gauge("nodejs_eventloop_lag_p50_seconds", "Delay of the event loop since the last scrape, median.", () => delay.percentile(50) / 1e9);
  gauge(
    "nodejs_eventloop_lag_p99_seconds",
    "Delay of the event loop since the last scrape, 99th percentile.",
    () => delay.percentile(99) / 1e9,
  );
  gauge("nodejs_eventloop_lag_max_seconds", "Delay of the event loop since the last scrape, maximum.", () => {
    const max = delay.max / 1e9;
    // prom-client collects in the order of registration, so this is the last of the three.
    delay.reset();
    return max;
  });
  return stop;
}

/** Samples the delay of the event loop. monitorEventLoopDelay() of Node would lose the first sample after each reset. */
function sampleDelay(): { readonly delay: RecordableHistogram; readonly stop: () => void } {
  const delay = createHistogram();
  let beforeMs = performance.now();
  const sampling = setInterval(() => {
    const nowMs = performance.now();
    delay.record(Math.max(1, Math.round((nowMs - beforeMs) * 1e6)));
    beforeMs = nowMs;
  }, SAMPLE_MS).unref();
  return {
    delay,
    stop: () => {
      clearInterval(sampling);
    },
  };
}

/** Some values are in files. Where no descriptor is left to open them, Prometheus gets the others. */
function readOrNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return NaN;
  }
}

/** Without a descriptor left to count them with, all are open. */
function openFilesWithin(limit: number): number {
  try {
    return openFiles();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EMFILE") return limit;
    throw error;
  }
}
