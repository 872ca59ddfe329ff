import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { NANOCREDITS_PER_CREDIT } from "../../billing/credits.ts";
import { HUNG_UP, type Served } from "../../handler/observation.ts";
import type { QuestionObserver } from "../upstream/observer.ts";
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

/** Of other questions there are no metrics: each is a series of its own. */
const MAX_QUESTIONS = 50;

/** The metrics for Prometheus. No label has values that a caller can choose. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #byKey: boolean;
  readonly #requests;
  readonly #duration = this.#histogram("umpire_request_duration_seconds", "Time from a request's arrival to its reply, by page.", [
    "route",
  ]);
  readonly #queued = this.#histogram("umpire_queue_duration_seconds", "Time that requests waited for their turn.");
  readonly #tokens;
  readonly #answers = this.#counter("umpire_answers_total", "Answers to questions, by whether a lesson answered.", ["taught"]);
  readonly #credits;
  readonly #hungUp = this.#counter("umpire_client_hang_ups_total", "Requests whose client hung up before the reply.");
  readonly connectionErrors = this.#counter("umpire_connection_errors_total", "Connections closed because of a fault, by kind.", ["kind"]);
  readonly keyFileErrors = this.#counter("umpire_key_file_errors_total", "Problems that kept the key file from being followed.");
  readonly lessonErrors = this.#counter("umpire_lesson_errors_total", "Problems that kept lessons from being followed.");
  #servedUpstream: ((served: Served) => void) | undefined;

  /** @param byKey whether counters have the key's name as a label */
  constructor(byKey: boolean) {
    const key = byKey ? (["key"] as const) : [];
    this.#byKey = byKey;
    this.#requests = this.#counter("umpire_requests_total", "Answered requests, by page and HTTP status.", ["route", "status", ...key]);
    this.#tokens = this.#counter("umpire_tokens_total", "Tokens of answered requests, by model and direction.", [
      "model",
      "direction",
      ...key,
    ]);
    this.#credits = this.#counter("umpire_credits_taken_total", "Credits charged for answered requests.", key);
    processMetrics();
  }

  /** Adds values that are read whenever Prometheus asks. */
  read(values: Readonly<Record<"waiting" | "running" | "workersStarted", () => number>> & { readonly isReady: () => boolean }): void {
    const { waiting, running, workersStarted, isReady } = values;
    this.#gauge("umpire_requests_waiting", "Requests waiting for their turn.", waiting);
    this.#gauge("umpire_requests_running", "Requests being answered.", running);
    this.#gauge("umpire_ready", "1 while the server answers requests, 0 while it starts or stops.", () => Number(isReady()));
    const help = "Workers started: one for each model, and one for each worker that was lost.";
    this.#count("umpire_workers_started_total", help, workersStarted);
  }

  /** Adds the metrics of a hosted API behind the service. */
  readUpstream(observer: Pick<QuestionObserver, "agreements" | "counts">): void {
    this.#gauges("umpire_upstream_questions", "Questions that are observed, by state.", "state", () => {
      const byState = new Map<string, number>(["observing", "switched", "rechecking"].map((state) => [state, 0]));
      for (const { status } of observer.agreements().questions) byState.set(status, (byState.get(status) ?? 0) + 1);
      return byState;
    });
    const ofTop = (name: string, help: string, of: (one: Agreement) => number): void => {
      this.#gauges(`umpire_upstream_question_${name}`, `${help} of the ${MAX_QUESTIONS} questions with most calls.`, "question", () =>
        observer
          .agreements()
          .questions.slice(0, MAX_QUESTIONS)
          .map((one) => [one.id, of(one)]),
      );
    };
    ofTop("calls", "Calls", ({ calls }) => calls);
    ofTop("agreement", "Share of answers that agree,", ({ agreement }) => agreement?.value ?? 0);
    ofTop("share", "Share of calls that could be answered here,", ({ share }) => share);
    const { counts } = observer;
    this.#gauge("umpire_upstream_waiting", "Answers of the hosted API that wait to be learned from.", () => counts.waiting);
    this.#count("umpire_upstream_dropped_total", "Answers not learned from because too many waited.", () => counts.dropped);
    this.#count("umpire_upstream_unread_total", "Answers not learned from because the text could not be read here.", () => counts.unread);
    this.#count("umpire_upstream_write_errors_total", "Observations that could not be kept.", () => counts.failedWrites);
    const sources = this.#counter("umpire_upstream_answers_total", "Answers to questions, by who gave them.", ["source"]);
    const help = "Replies of the hosted API that could not be used, by reason.";
    const failures = this.#counter("umpire_upstream_failures_total", help, ["reason"]);
    const duration = this.#histogram("umpire_upstream_duration_seconds", "Time that the hosted API took.");
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

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.#registry] });
  }

  /** A counter that is kept elsewhere. */
  #count(name: string, help: string, value: () => number): void {
    const collect = (): void => {
      counter.reset();
      counter.inc(value());
    };
    const counter = new Counter({ name, help, registers: [this.#registry], collect });
  }

  #gauge(name: string, help: string, value: () => number): void {
    const collect = (): void => {
      gauge.set(value());
    };
    const gauge = new Gauge({ name, help, registers: [this.#registry], collect });
  }

  /** One gauge for each value of a label. */
  #gauges(name: string, help: string, label: string, values: () => Iterable<readonly [string, number]>): void {
    const collect = (): void => {
      gauge.reset();
      for (const [of, value] of values()) gauge.set({ [label]: of }, value);
    };
    const gauge = new Gauge({ name, help, labelNames: [label], registers: [this.#registry], collect });
  }
}
