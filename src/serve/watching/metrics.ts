import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { NANOCREDITS_PER_CREDIT } from "../../http/billing/credits.ts";
import { HUNG_UP } from "../../http/observe.ts";
import type { Served } from "../../http/observe.ts";
import type { ConnectionError } from "../server/connection-errors.ts";
import { measureProcess } from "./process-metrics.ts";

/** From the fastest answer to the deadline and beyond. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What is read at the moment when Prometheus asks. */
export interface Readings {
  readonly waiting: () => number;
  readonly running: () => number;
  readonly workersStarted: () => number;
  readonly isReady: () => boolean;
}

/** What Prometheus is told. No label has values that a caller chooses. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests;
  readonly #duration;
  readonly #queued;
  readonly #tokens;
  readonly #credits;
  readonly #hungUp;
  readonly #connectionErrors;
  readonly #keyFileErrors;
  readonly #byKey: boolean;
  readonly #endMeasuring: () => void;

  /** `byKey` adds the key's name to what is counted. */
  constructor(byKey: boolean) {
    const registers = [this.#registry];
    const key = byKey ? (["key"] as const) : [];
    const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
      new Counter({ name, help, labelNames, registers });
    const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L> =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
    this.#byKey = byKey;
    this.#requests = counter("umpire_requests_total", "Requests that were answered, by page and HTTP status.", ["route", "status", ...key]);
    this.#duration = histogram("umpire_request_duration_seconds", "From a request's arrival to its reply, by page.", ["route"]);
    this.#queued = histogram("umpire_queue_duration_seconds", "How long requests waited for their turn.", []);
    this.#tokens = counter("umpire_tokens_total", "Tokens of answered requests, by model and direction.", ["model", "direction", ...key]);
    this.#credits = counter("umpire_credits_taken_total", "Credits taken for answered requests.", key);
    this.#hungUp = counter("umpire_client_hang_ups_total", "Requests whose connection ended before the reply.", []);
    this.#connectionErrors = counter("umpire_connection_errors_total", "Connections that were closed for a fault, by kind.", ["kind"]);
    this.#keyFileErrors = counter("umpire_key_file_errors_total", "Changes of the key file that could not be taken over.", []);
    this.#endMeasuring = measureProcess(this.#registry);
  }

  read({ waiting, running, workersStarted, isReady }: Readings): void {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, value: () => number): void => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    };
    gauge("umpire_requests_waiting", "Requests that wait for their turn.", waiting);
    gauge("umpire_requests_running", "Requests that are being answered.", running);
    gauge("umpire_ready", "1 when requests are answered, 0 while the server starts or stops.", () => Number(isReady()));
    new Counter({
      name: "umpire_workers_started_total",
      help: "Workers that were started: one a model, and one more for each that was lost.",
      registers,
      collect() {
        this.reset();
        this.inc(workersStarted());
      },
    });
  }

  served({ route, status, key, model, usage, nanocredits, durationMs, queuedMs }: Served): void {
    // Always the same set of labels: where nobody is known there is an empty name.
    const byKey = this.#byKey ? { key: key ?? "" } : {};
    this.#requests.inc({ route, status, ...byKey });
    this.#duration.observe({ route }, durationMs / 1000);
    if (queuedMs !== undefined) this.#queued.observe(queuedMs / 1000);
    if (model !== undefined && usage !== undefined) {
      this.#tokens.inc({ model, direction: "input", ...byKey }, usage.input_tokens);
      this.#tokens.inc({ model, direction: "output", ...byKey }, usage.output_tokens);
    }
    if (nanocredits !== undefined) this.#credits.inc(byKey, nanocredits / NANOCREDITS_PER_CREDIT);
    if (status === HUNG_UP) this.#hungUp.inc();
  }

  connectionError(kind: ConnectionError): void {
    this.#connectionErrors.inc({ kind });
  }

  keyFileError(): void {
    this.#keyFileErrors.inc();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All of it in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  close(): void {
    this.#endMeasuring();
    this.#registry.clear();
  }
}
