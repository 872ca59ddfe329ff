import { afterEach, expect, test } from "vitest";
import { Metrics } from "../../../../src/service/node/observability/metrics.ts";

const opened: Metrics[] = [];
afterEach(() => {
  for (const metrics of opened.splice(0)) metrics.close();
});

function open(byKey: boolean): Metrics {
  const metrics = new Metrics(byKey);
  opened.push(metrics);
  return metrics;
}

/** The samples of a metric, without its comments. */
async function samples(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.text()).split("\n");
  return lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

const ANSWERED = {
  requestId: "r1",
  method: "POST",
  route: "decide",
  status: 200,
  key: "shop",
  model: "umpire-2",
  usage: { input_tokens: 144, output_tokens: 2 },
  nanocredits: 500_000_000,
  durationMs: 40,
  queuedMs: 300,
} as const;

test("an answered request is counted with its status, tokens, credits and times", async () => {
  const metrics = open(false);
  metrics.served(ANSWERED);
  metrics.served(ANSWERED);
  expect(await samples(metrics, "umpire_requests_total")).toEqual(['umpire_requests_total{route="decide",status="200"} 2']);
  expect(await samples(metrics, "umpire_tokens_total")).toEqual([
    'umpire_tokens_total{model="umpire-2",direction="input"} 288',
    'umpire_tokens_total{model="umpire-2",direction="output"} 4',
  ]);
  expect(await samples(metrics, "umpire_credits_taken_total")).toEqual(["umpire_credits_taken_total 1"]);
  // 40 ms is in the bucket up to 50 ms; 300 ms is not in the one up to 250 ms.
  const text = await metrics.text();
  expect(text).toContain('umpire_request_duration_seconds_bucket{le="0.05",route="decide"} 2');
  expect(text).toContain('umpire_request_duration_seconds_bucket{le="0.025",route="decide"} 0');
  expect(text).toContain('umpire_queue_duration_seconds_bucket{le="0.25"} 0');
  expect(text).toContain('umpire_queue_duration_seconds_bucket{le="0.5"} 2');
});

test("answers are counted by whether a lesson answered, and never by which", async () => {
  const metrics = open(true);
  metrics.served({ ...ANSWERED, answers: { taught: 2, untaught: 1 } });
  metrics.served({ ...ANSWERED, answers: { taught: 1, untaught: 0 } });
  expect(await samples(metrics, "umpire_answers_total")).toEqual([
    'umpire_answers_total{taught="true"} 3',
    'umpire_answers_total{taught="false"} 1',
  ]);
});

test("with keys, every series has the label, which is empty for unknown callers", async () => {
  const metrics = open(true);
  metrics.served(ANSWERED);
  metrics.served({ requestId: "r2", method: "POST", route: "decide", status: 401, durationMs: 1 });
  expect(await samples(metrics, "umpire_requests_total")).toEqual([
    'umpire_requests_total{route="decide",status="200",key="shop"} 1',
    'umpire_requests_total{route="decide",status="401",key=""} 1',
  ]);
  expect(await samples(metrics, "umpire_credits_taken_total")).toEqual(['umpire_credits_taken_total{key="shop"} 0.5']);
});

test("a client that hung up is counted, and what did not happen is not", async () => {
  const metrics = open(false);
  metrics.served({ requestId: "r1", method: "POST", route: "decide", status: 499, durationMs: 1 });
  expect(await samples(metrics, "umpire_client_hang_ups_total")).toEqual(["umpire_client_hang_ups_total 1"]);
  expect(await samples(metrics, "umpire_tokens_total")).toEqual([]);
  expect(await samples(metrics, "umpire_queue_duration_seconds_count")).toEqual(["umpire_queue_duration_seconds_count 0"]);
});

test("faults of connections are counted by kind, and those of the key file", async () => {
  const metrics = open(false);
  metrics.connectionErrors.inc({ kind: "timeout" });
  metrics.connectionErrors.inc({ kind: "tls" });
  metrics.connectionErrors.inc({ kind: "tls" });
  metrics.keyFileErrors.inc();
  expect(await samples(metrics, "umpire_connection_errors_total")).toEqual([
    'umpire_connection_errors_total{kind="timeout"} 1',
    'umpire_connection_errors_total{kind="tls"} 2',
  ]);
  expect(await samples(metrics, "umpire_key_file_errors_total")).toEqual(["umpire_key_file_errors_total 1"]);
});

test("gauges are read anew at each scrape", async () => {
  const metrics = open(false);
  const load = { waiting: 3, running: 1, workers: 1, isReady: false };
  metrics.read({
    waiting: () => load.waiting,
    running: () => load.running,
    workersStarted: () => load.workers,
    isReady: () => load.isReady,
  });
  const read = async (): Promise<string[]> => {
    const names = ["umpire_requests_waiting", "umpire_requests_running", "umpire_workers_started_total", "umpire_ready"];
    return (await Promise.all(names.map((name) => samples(metrics, name)))).flat().map((line) => line.split(" ")[1] ?? "");
  };
  expect(await read()).toEqual(["3", "1", "1", "0"]);
  Object.assign(load, { waiting: 0, workers: 2, isReady: true });
  expect(await read()).toEqual(["0", "1", "2", "1"]);
});

test("two servers in one process have metrics of their own", async () => {
  const [one, other] = [open(false), open(false)];
  one.keyFileErrors.inc();
  expect(await samples(other, "umpire_key_file_errors_total")).toEqual(["umpire_key_file_errors_total 0"]);
});

test("the usual metrics of the process are there once, however many servers it has", async () => {
  const [one, other] = [open(false), open(true)];
  for (const metrics of [one, other])
    for (const name of [
      "process_cpu_seconds_total",
      "process_start_time_seconds",
      "process_resident_memory_bytes",
      "nodejs_heap_size_used_bytes",
      "nodejs_heap_size_total_bytes",
      "nodejs_external_memory_bytes",
      "nodejs_eventloop_lag_p50_seconds",
      "nodejs_eventloop_lag_p99_seconds",
      "nodejs_eventloop_lag_max_seconds",
      ...(process.platform === "linux" ? ["process_open_fds", "process_max_fds"] : []),
    ])
      expect(await samples(metrics, name)).toEqual([expect.stringMatching(/ [\d.e+-]+$/u) as string]);
});
