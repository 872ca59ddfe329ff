import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { NANOCREDITS_PER_CREDIT } from "../../billing/credits.ts";
import { HUNG_UP } from "../../handler/observation.ts";
import type { Served } from "../../handler/observation.ts";
import type { ObserverCounts } from "../upstream/observer.ts";
import type { Agreement } from "../upstream/upstream-store.ts";

/** Upper bounds of the histograms' buckets: from the fastest answer to beyond the deadline. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

let ofProcess: Registry | undefined;

/** The usual metrics of a process. Started once for all servers of this process, because prom-client's observers cannot be stopped. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Values that are read whenever Prometheus asks. */
export interface Readings {
  readonly waiting: () => number;
  readonly running: () => number;
  readonly workersStarted: () => number;
  readonly isReady: () => boolean;
}

/** What is read of an observer. */
interface UpstreamReadings {
  readonly observer: { agreements(): readonly Agreement[]; readonly counts: ObserverCounts };
}

/** Of other questions there are no metrics: each is a series of its own. */
const MAX_QUESTIONS = 50;

/** The metrics for Prometheus. No label has values that a caller can choose. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests;
  readonly #duration;
  readonly #queued;
  readonly #tokens;
  readonly #answers;
  readonly #credits;
  readonly #hungUp;
  readonly connectionErrors: Counter<"kind">;
  readonly keyFileErrors: Counter;
  readonly lessonErrors: Counter;
  readonly #byKey: boolean;
  #servedUpstream: ((served: Served) => void) | undefined;

  /** @param byKey whether counters have the key's name as a label */
  constructor(byKey: boolean) {
    const registers = [this.#registry];
    const key = byKey ? (["key"] as const) : [];
    const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
      new Counter({ name, help, labelNames, registers });
    const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L> =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
    this.#byKey = byKey;
    this.#requests = counter("umpire_requests_total", "Answered requests, by page and HTTP status.", ["route", "status", ...key]);
    this.#duration = histogram("umpire_request_duration_seconds", "Time from a request's arrival to its reply, by page.", ["route"]);
    this.#queued = histogram("umpire_queue_duration_seconds", "Time that requests waited for their turn.", []);
    this.#tokens = counter("umpire_tokens_total", "Tokens of answered requests, by model and direction.", ["model", "direction", ...key]);
    this.#answers = counter("umpire_answers_total", "Answers to questions, by whether a lesson answered.", ["taught"]);
    this.#credits = counter("umpire_credits_taken_total", "Credits charged for answered requests.", key);
    this.#hungUp = counter("umpire_client_hang_ups_total", "Requests whose client hung up before the reply.", []);
    this.connectionErrors = counter("umpire_connection_errors_total", "Connections closed because of a fault, by kind.", ["kind"]);
    this.keyFileErrors = counter("umpire_key_file_errors_total", "Problems that kept the key file from being followed.", []);
    this.lessonErrors = counter("umpire_lesson_errors_total", "Problems that kept lessons from being followed.", []);
    processMetrics();
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
    gauge("umpire_requests_waiting", "Requests waiting for their turn.", waiting);
    gauge("umpire_requests_running", "Requests being answered.", running);
    gauge("umpire_ready", "1 while the server answers requests, 0 while it starts or stops.", () => Number(isReady()));
    new Counter({
      name: "umpire_workers_started_total",
      help: "Workers started: one for each model, and one for each worker that was lost.",
      registers,
      collect() {
        this.reset();
        this.inc(workersStarted());
      },
    });
  }

  /** Adds the metrics of a hosted API behind the service. */
  readUpstream({ observer }: UpstreamReadings): void {
    const registers = [this.#registry];
    const top = (): readonly Agreement[] => observer.agreements().slice(0, MAX_QUESTIONS);
    const gauge = (name: string, help: string, of: (one: Agreement) => number): void => {
      new Gauge({
        name,
        help,
        labelNames: ["question"],
        registers,
        collect() {
          this.reset();
          for (const one of top()) this.set({ question: one.id }, of(one));
        },
      });
    };
    const count = (name: string, help: string, value: () => number): void => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    };
    new Gauge({
      name: "umpire_upstream_questions",
      help: "Questions that are observed, by state.",
      labelNames: ["state"],
      registers,
      collect() {
        this.reset();
        for (const state of ["observing", "switched", "rechecking"] as const) this.set({ state }, 0);
        for (const { status } of observer.agreements()) this.inc({ state: status });
      },
    });
    const ofTop = `of the ${MAX_QUESTIONS} questions with most calls`;
    gauge("umpire_upstream_question_calls", `Calls ${ofTop}.`, ({ calls }) => calls);
    gauge("umpire_upstream_question_agreement", `Share of answers that agree, ${ofTop}.`, ({ agreement }) => agreement?.value ?? 0);
    gauge("umpire_upstream_question_share", `Share of calls that could be answered here, ${ofTop}.`, ({ share }) => share);
    new Gauge({
      name: "umpire_upstream_waiting",
      help: "Answers of the hosted API that wait to be learned from.",
      registers,
      collect() {
        this.set(observer.counts.waiting);
      },
    });
    count("umpire_upstream_dropped_total", "Answers not learned from because too many waited.", () => observer.counts.dropped);
    count(
      "umpire_upstream_unread_total",
      "Answers not learned from because the text could not be read here.",
      () => observer.counts.unread,
    );
    count("umpire_upstream_write_errors_total", "Observations that could not be kept.", () => observer.counts.failedWrites);
    const labels = { registers, labelNames: ["source"] as const };
    const sources = new Counter({ name: "umpire_upstream_answers_total", help: "Answers to questions, by who gave them.", ...labels });
    const failures = new Counter({
      name: "umpire_upstream_failures_total",
      help: "Replies of the hosted API that could not be used, by reason.",
      labelNames: ["reason"],
      registers,
    });
    const duration = new Histogram({
      name: "umpire_upstream_duration_seconds",
      help: "Time that the hosted API took.",
      buckets: SECONDS,
      registers,
    });
    this.#servedUpstream = ({ sources: by, upstreamFailure, upstreamMs }) => {
      if (by !== undefined) for (const source of ["upstream", "local"] as const) sources.inc({ source }, by[source]);
      if (upstreamFailure !== undefined) failures.inc({ reason: upstreamFailure });
      if (upstreamMs !== undefined) duration.observe(upstreamMs / 1000);
    };
  }

  served(all: Served): void {
    this.#servedUpstream?.(all);
    const { route, status, key, model, usage, answers, nanocredits, durationMs, queuedMs } = all;
    // Every series has the same labels, so an unknown caller has an empty name.
    const byKey = this.#byKey ? { key: key ?? "" } : {};
    this.#requests.inc({ route, status, ...byKey });
    this.#duration.observe({ route }, durationMs / 1000);
    if (queuedMs !== undefined) this.#queued.observe(queuedMs / 1000);
    if (model !== undefined && usage !== undefined) {
      this.#tokens.inc({ model, direction: "input", ...byKey }, usage.input_tokens);
      this.#tokens.inc({ model, direction: "output", ...byKey }, usage.output_tokens);
    }
    if (answers !== undefined) {
      this.#answers.inc({ taught: "true" }, answers.taught);
      this.#answers.inc({ taught: "false" }, answers.untaught);
    }
    if (nanocredits !== undefined) this.#credits.inc(byKey, nanocredits / NANOCREDITS_PER_CREDIT);
    if (status === HUNG_UP) this.#hungUp.inc();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in Prometheus' text format, with those of the process. */
  async text(): Promise<string> {
    return (await this.#registry.metrics()) + (await processMetrics().metrics());
  }

  close(): void {
    this.#registry.clear();
  }
}
