import { describe, expect, it } from "vitest";
import { ReadingQueue } from "../../../src/service/queue/reading-queue.ts";
import { rejection } from "../../support/rejection.ts";

const never = (): AbortSignal => new AbortController().signal;

/** A queue with a clock that reading turns. */
class Bench {
  nowMs = 0;
  readonly charged: (readonly [string, number])[] = [];
  readonly order: string[] = [];
  readonly queue = new ReadingQueue(
    () => this.nowMs,
    (key, ms) => void this.charged.push([key, ms]),
  );

  read(key: string, takesMs: number, signal = never()): Promise<string> {
    return this.queue.run(key, signal, () => {
      this.order.push(key);
      this.nowMs += takesMs;
      return Promise.resolve(key);
    });
  }
}

describe("reading", () => {
  it("happens in fair order by key: small bodies do not wait behind the large ones of another key", async () => {
    const bench = new Bench();
    const flood = Array.from({ length: 30 }, () => bench.read("flood", 20));
    const light = Array.from({ length: 10 }, () => bench.read("light", 1));
    await Promise.all([...flood, ...light]);
    expect(bench.order.lastIndexOf("light")).toBeLessThanOrEqual(12);
  });

  it("charges each key for its time, also for what fails", async () => {
    const bench = new Bench();
    await bench.read("a", 7);
    const failed = bench.queue.run("b", never(), () => {
      bench.nowMs += 5;
      return Promise.reject(new Error("not JSON"));
    });
    expect(await rejection(() => failed)).toEqual(new Error("not JSON"));
    expect(bench.charged).toEqual([
      ["a", 7],
      ["b", 5],
    ]);
    expect(await bench.read("b", 1)).toBe("b");
  });

  it("gives everything else on the thread a turn between two long ones", async () => {
    const bench = new Bench();
    const asked = Array.from({ length: 5 }, () => bench.read("a", 20));
    let turns = 0;
    const others = setInterval(() => turns++);
    await Promise.all(asked);
    clearInterval(others);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it("forgets a body whose client has gone", async () => {
    const bench = new Bench();
    const [first, gone] = [bench.read("a", 20), new AbortController()];
    const left = rejection(() => bench.read("b", 20, gone.signal));
    const last = bench.read("c", 1);
    gone.abort(new Error("gone"));
    expect(await left).toEqual(new Error("gone"));
    await Promise.all([first, last]);
    expect(bench.order).toEqual(["a", "c"]);
    expect(await rejection(() => bench.read("a", 1, AbortSignal.abort(new Error("before"))))).toEqual(new Error("before"));
  });
});
