import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../../src/service/queue/fair-queue.ts";
import type { FairQueueLimits } from "../../../src/service/queue/fair-queue.ts";
import { decideError, rejection } from "../../support/rejection.ts";

const WIDE: FairQueueLimits = { waitingRequests: 1000, waitingBytes: 1e9, deadlineMs: 1e9, runMs: Infinity };
const never = (): AbortSignal => new AbortController().signal;

/** A few turns of the event loop, for the promises in between. */
async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });

/** A queue with a clock and tasks that the test controls. */
class Bench {
  nowMs = 0;
  readonly queue: FairQueue;
  /** Keys in the order in which their tasks began. */
  readonly began: string[] = [];
  #finish: (() => void) | undefined;

  constructor(limits: Partial<FairQueueLimits> = {}) {
    this.queue = new FairQueue({ ...WIDE, ...limits }, () => this.nowMs);
  }

  ask(key: string, sizeBytes = 500, signal = never()): Promise<number> {
    return this.queue.run({ key, sizeBytes, signal }, ({ queuedMs, work }) =>
      work(async () => {
        this.began.push(key);
        await new Promise<void>((resolve) => (this.#finish = resolve));
        return queuedMs;
      }),
    );
  }

  /** Ends the running task after `ms`, so that the next one begins. */
  async finish(ms: number): Promise<void> {
    await settled();
    this.nowMs += ms;
    this.#finish?.();
    await settled();
  }

  /** Lets the queue learn how long a request of 500 bytes takes. */
  async teach(ms: number): Promise<void> {
    const lesson = this.ask("teacher");
    await this.finish(ms);
    await lesson;
    this.began.length = 0;
  }
}

describe("the queue", () => {
  it("runs one request at a time, those of one key in order", async () => {
    const bench = new Bench();
    const asked = [1, 2, 3].map(() => bench.ask("k"));
    expect(bench.queue.load).toEqual({ waiting: 2, running: 1 });
    for (let i = 0; i < 3; i++) await bench.finish(10);
    expect(await Promise.all(asked)).toEqual([0, 10, 20]);
    expect(bench.queue.load).toEqual({ waiting: 0, running: 0 });
  });

  it("serves a key with few requests beside one that floods the queue", async () => {
    const bench = new Bench();
    const flood = Array.from({ length: 50 }, () => bench.ask("flood"));
    const light = bench.ask("light");
    for (let i = 0; i < 51; i++) await bench.finish(10);
    await Promise.all([...flood, light]);
    expect(bench.began.indexOf("light")).toBeLessThanOrEqual(2);
  });

  it("does not count aborted turns against a key", async () => {
    const bench = new Bench();
    const hangUps = Array.from({ length: 50 }, () => new AbortController());
    const running = bench.ask("patient");
    const left = hangUps.map(({ signal }) => bench.ask("left", 500, signal).catch(() => undefined));
    const patient = Array.from({ length: 50 }, () => bench.ask("patient"));
    for (const hangUp of hangUps) hangUp.abort();
    const again = bench.ask("left");
    for (let i = 0; i < 52; i++) await bench.finish(10);
    await Promise.all([running, again, ...left, ...patient]);
    expect(bench.began.indexOf("left")).toBeLessThanOrEqual(2);
  });

  it("shares time, not requests: a key whose requests take long gets fewer turns", async () => {
    const bench = new Bench();
    const asked = ["slow", "quick"].flatMap((key) => Array.from({ length: 20 }, () => bench.ask(key)));
    for (let i = 0; i < 40; i++) {
      await settled();
      await bench.finish(bench.began.at(-1) === "slow" ? 90 : 10);
    }
    await Promise.all(asked);
    expect(bench.began.slice(0, bench.began.lastIndexOf("quick")).filter((key) => key === "slow").length).toBeLessThan(6);
  });

  it("charges a key for what fails and for what is stopped", async () => {
    const bench = new Bench();
    const caller = new AbortController();
    const stopped = rejection(() =>
      bench.queue.run({ key: "heavy", sizeBytes: 500, signal: caller.signal }, ({ work }) => work((signal) => untilAborted(signal))),
    );
    await settled();
    bench.nowMs += 8000;
    caller.abort(new Error("gone"));
    expect(await stopped).toEqual(new Error("gone"));
    const asked = ["first", "heavy", "light", "light"].map((key) => bench.ask(key));
    for (let i = 0; i < 4; i++) await bench.finish(10);
    await Promise.all(asked);
    expect(bench.began).toEqual(["first", "light", "light", "heavy"]);
  });

  it("refuses a request at once if it would wait longer than the deadline, and says when to retry", async () => {
    const bench = new Bench({ deadlineMs: 1000 });
    await bench.teach(100);
    // A wait of up to 80% of the deadline may be predicted: one request runs and seven wait.
    const accepted = Array.from({ length: 8 }, () => bench.ask("a"));
    const refused = await decideError(() => bench.ask("a"));
    expect(refused).toMatchObject({ code: "overloaded", status: 429, retryable: true, retryAfterSeconds: 1 });
    for (let i = 0; i < 8; i++) await bench.finish(100);
    expect(Math.max(...(await Promise.all(accepted)))).toBe(700);
  });

  it("checks admission in advance: refuses a key whose next request of any size would be refused", async () => {
    const bench = new Bench({ deadlineMs: 1000 });
    await bench.teach(100);
    expect(() => {
      bench.queue.checkAdmission("a");
    }).not.toThrow();
    const accepted = Array.from({ length: 8 }, () => bench.ask("a", 500));
    expect(() => {
      bench.queue.checkAdmission("a");
    }).toThrow("The service is overloaded");
    expect(() => {
      bench.queue.checkAdmission("b");
    }).not.toThrow();
    for (let i = 0; i < 8; i++) await bench.finish(100);
    await Promise.all(accepted);
  });

  it("refuses a request that has waited too long because others took longer than predicted", async () => {
    const bench = new Bench({ deadlineMs: 1000 });
    await bench.teach(100);
    const first = bench.ask("a");
    const late = decideError(() => bench.ask("a"));
    await bench.finish(2000);
    await first;
    expect((await late).code).toBe("overloaded");
    expect(bench.queue.load).toEqual({ waiting: 0, running: 0 });
  });

  it("begins the next turn after it has refused one that waited too long", async () => {
    const bench = new Bench({ deadlineMs: 1000 });
    await bench.teach(100);
    const first = bench.ask("a");
    const late = decideError(() => bench.ask("a"));
    bench.nowMs = 1950;
    const next = bench.ask("b");
    await bench.finish(0);
    await first;
    expect((await late).code).toBe("overloaded");
    await bench.finish(100);
    expect(await next).toBe(0);
  });

  it("listens to no signal once a wait has ended, however it ended", async () => {
    const bench = new Bench({ waitingRequests: 2 });
    const listening = new Set<AbortSignal>();
    const watched = (): AbortController => {
      const controller = new AbortController();
      const { signal } = controller;
      const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listening.add(signal);
        add(...args);
      };
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listening.delete(signal);
        remove(...args);
      };
      return controller;
    };
    const running = bench.ask("a");
    const [begins, refused, aborted] = [watched(), watched(), watched()];
    const begun = bench.ask("a", 500, begins.signal);
    const rejected = decideError(() => bench.ask("a", 500, refused.signal));
    const left = rejection(() => bench.ask("b", 500, aborted.signal));
    expect((await rejected).code).toBe("overloaded");
    expect([...listening]).toEqual([begins.signal, aborted.signal]);
    aborted.abort();
    await left;
    await bench.finish(10);
    await bench.finish(10);
    await Promise.all([running, begun]);
    expect([...listening]).toEqual([]);
  });

  it("never refuses a request when the queue is empty", async () => {
    const bench = new Bench({ deadlineMs: 50 });
    await bench.teach(100);
    const alone = bench.ask("a", 1_000_000);
    await bench.finish(90_000);
    expect(await alone).toBe(0);
  });

  it("when it is full, rejects the last turn of the heaviest key, not a new request of a light one", async () => {
    const bench = new Bench({ waitingRequests: 5 });
    const flood = Array.from({ length: 6 }, () => bench.ask("flood"));
    const outcome = Promise.allSettled(flood);
    const onceMore = await decideError(() => bench.ask("flood"));
    expect(onceMore.code).toBe("overloaded");
    const light = bench.ask("light");
    expect(bench.queue.load.waiting).toBe(5);
    for (let i = 0; i < 6; i++) await bench.finish(10);
    await light;
    expect((await outcome).map(({ status }) => status)).toEqual([...Array<string>(5).fill("fulfilled"), "rejected"]);
  });

  it("when it is full, refuses a new request that is due no earlier than those that wait", async () => {
    const bench = new Bench({ waitingRequests: 1 });
    const [running, waiting] = [bench.ask("a"), bench.ask("b")];
    expect((await decideError(() => bench.ask("c"))).code).toBe("overloaded");
    for (let i = 0; i < 2; i++) await bench.finish(1);
    await Promise.all([running, waiting]);
    expect(bench.began).toEqual(["a", "b"]);
  });

  it("does not forget the time that a key has used when nothing waits for a moment", async () => {
    const bench = new Bench();
    const past = bench.ask("heavy");
    await bench.finish(8000);
    await past;
    bench.nowMs += 1000;
    const asked = ["x", "heavy", "a", "a"].map((key) => bench.ask(key));
    for (let i = 0; i < 4; i++) await bench.finish(1);
    await Promise.all(asked);
    expect(bench.began.slice(1)).toEqual(["x", "a", "a", "heavy"]);
  });

  it("does not predict by a run that one which was stopped may have slowed down", async () => {
    const bench = new Bench({ deadlineMs: 1000 });
    await bench.teach(10);
    const caller = new AbortController();
    const stopped = rejection(() => bench.queue.run({ key: "a", sizeBytes: 500, signal: caller.signal }, ({ work }) => work(untilAborted)));
    await settled();
    caller.abort();
    await stopped;
    // The model still runs what was stopped.
    const slowed = bench.ask("b");
    await bench.finish(5000);
    await slowed;
    const asked = Array.from({ length: 20 }, () => bench.ask("b"));
    for (let i = 0; i < 20; i++) await bench.finish(10);
    await Promise.all(asked);
  });

  it("lets no request in between the end of one turn and the start of the next", async () => {
    for (let ticks = 0; ticks < 10; ticks++) {
      const queue = new FairQueue(WIDE, () => 0);
      let running = 0;
      const task = async (until: Promise<unknown>): Promise<void> => {
        expect(++running).toBe(1);
        await until;
        running--;
      };
      const turn = { key: "a", sizeBytes: 1, signal: never() };
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const asked = [queue.run(turn, () => task(ended)), queue.run(turn, () => task(new Promise(setImmediate)))];
      end();
      for (let i = 0; i < ticks; i++) await Promise.resolve();
      asked.push(queue.run(turn, () => task(Promise.resolve())));
      await Promise.all(asked);
    }
  });

  it("limits the total size of waiting requests", async () => {
    const bench = new Bench({ waitingBytes: 1000 });
    const running = bench.ask("a", 900);
    const waiting = bench.ask("a", 900);
    expect((await decideError(() => bench.ask("a", 200))).code).toBe("overloaded");
    for (let i = 0; i < 2; i++) await bench.finish(1);
    await Promise.all([running, waiting]);
  });

  it("drops an aborted request and gives the turn to the next", async () => {
    const bench = new Bench();
    const first = bench.ask("a");
    const caller = new AbortController();
    const left = rejection(() => bench.ask("b", 500, caller.signal));
    const last = bench.ask("c");
    const reason = new Error("gone");
    caller.abort(reason);
    expect(await left).toBe(reason);
    for (let i = 0; i < 2; i++) await bench.finish(10);
    await Promise.all([first, last]);
    expect(bench.began).toEqual(["a", "c"]);
  });

  it("continues after a task fails", async () => {
    const bench = new Bench();
    const failed = rejection(() => bench.queue.run({ key: "a", sizeBytes: 1, signal: never() }, () => Promise.reject(new Error("broken"))));
    const next = bench.ask("a");
    expect(((await failed) as Error).message).toBe("broken");
    await bench.finish(1);
    await next;
  });

  it("whatever is asked and aborted, answers every other request exactly once, one at a time, and is empty afterwards", async () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c"), sizeBytes: fc.nat(5000), leaves: fc.boolean(), finish: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        let running = 0;
        const queue = new FairQueue({ ...WIDE, waitingRequests: 8 }, () => performance.now());
        const outcomes = steps.map(async ({ key, sizeBytes, leaves, finish }) => {
          const caller = new AbortController();
          const asked = queue
            .run({ key, sizeBytes, signal: caller.signal }, async () => {
              expect(++running).toBe(1);
              await new Promise(setImmediate);
              running--;
              return "answered";
            })
            .catch((error: unknown) => (error as Error).message);
          if (finish) await new Promise(setImmediate);
          if (leaves) caller.abort(new Error("left"));
          return asked;
        });
        for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatch(/^answered$|^left$|is overloaded/u);
        expect(queue.load).toEqual({ waiting: 0, running: 0 });
      }),
      { numRuns: 150 },
    );
  });
});
