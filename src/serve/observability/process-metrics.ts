import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";

/**
 * Adds the usual metrics of a process, under their usual names. prom-client's own collectors are not used, because they start observers that cannot
 * be stopped.
 * @returns a function that stops measuring
 */
export function measureProcess(registry: Registry): () => void {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
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
  gauge("nodejs_heap_size_used_bytes", "JavaScript heap in use.", () => process.memoryUsage().heapUsed);
  gauge("nodejs_heap_size_total_bytes", "JavaScript heap reserved.", () => process.memoryUsage().heapTotal);
  gauge("nodejs_external_memory_bytes", "Memory of objects outside the JavaScript heap.", () => process.memoryUsage().external);
  if (process.platform === "linux") gauge("process_open_fds", "Open file descriptors.", () => readdirSync("/proc/self/fd").length - 1);
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
  return () => {
    delay.disable();
  };
}
