import { describe, expect, it } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import { ByteBudget } from "../../../src/service/body/byte-budget.ts";
import type { Reserve } from "../../../src/service/body/byte-budget.ts";

/** An upload that lasts until it is told to end, or has to make room. */
class Upload {
  readonly outcome: Promise<DecideError | "received">;
  #reserve: Reserve | undefined;
  #end: (() => void) | undefined;

  constructor(budget: ByteBudget, client: string, sizeBytes = 0) {
    const received = budget.receive(
      client,
      (reserve) =>
        new Promise<void>((resolve) => {
          this.#reserve = reserve;
          this.#end = resolve;
        }),
    );
    this.outcome = received.then(
      () => "received" as const,
      (error: unknown) => {
        if (DecideError.isInstance(error)) return error;
        throw error;
      },
    );
    if (sizeBytes > 0) this.takes(sizeBytes);
  }

  /** @returns whether the bytes were reserved */
  takes(sizeBytes: number): boolean {
    try {
      this.#reserve?.(sizeBytes);
      return true;
    } catch {
      return false;
    }
  }

  async end(): Promise<DecideError | "received"> {
    this.#end?.();
    return this.outcome;
  }
}

describe("a byte budget", () => {
  it("gives an upload that is alone all it needs, even more than the limit", async () => {
    expect(await new Upload(new ByteBudget(10), "a", 1000).end()).toBe("received");
  });

  it("takes room from the client that holds most, who may send again in a second", async () => {
    const budget = new ByteBudget(100);
    const large = new Upload(budget, "a", 70);
    const small = new Upload(budget, "b", 40);
    expect(await large.outcome).toMatchObject({ code: "overloaded", status: 429, retryAfterSeconds: 1 });
    expect(await small.end()).toBe("received");
  });

  it("refuses the newest upload if its own client holds most", async () => {
    const budget = new ByteBudget(100);
    const light = new Upload(budget, "a", 40);
    expect(new Upload(budget, "b").takes(61)).toBe(false);
    expect(await light.end()).toBe("received");
  });

  it("takes room from the oldest upload of that client", async () => {
    const budget = new ByteBudget(100);
    const [oldest, second, other] = [new Upload(budget, "a", 30), new Upload(budget, "a", 30), new Upload(budget, "b", 40)];
    const newest = new Upload(budget, "a", 20);
    expect(await oldest.outcome).toMatchObject({ code: "overloaded" });
    expect(await Promise.all([second, other, newest].map((upload) => upload.end()))).toEqual(["received", "received", "received"]);
  });

  it("takes room from as many uploads as it needs", async () => {
    const budget = new ByteBudget(100);
    const flood = Array.from({ length: 10 }, () => new Upload(budget, "flood", 10));
    const light = new Upload(budget, "light", 25);
    const outcomes = await Promise.all(flood.slice(0, 3).map(({ outcome }) => outcome));
    expect(outcomes).toMatchObject(outcomes.map(() => ({ code: "overloaded" })));
    expect(await Promise.all([...flood.slice(3), light].map((upload) => upload.end()))).toEqual(Array(8).fill("received"));
  });

  it("gives nothing more to an upload that made room", () => {
    const budget = new ByteBudget(100);
    const large = new Upload(budget, "a", 70);
    new Upload(budget, "b", 40);
    expect(large.takes(1)).toBe(false);
  });

  it("has everything back once the uploads have ended, failed or made room", async () => {
    const budget = new ByteBudget(100);
    await new Upload(budget, "a", 60).end();
    await expect(
      budget.receive("b", (reserve) => {
        reserve(90);
        return Promise.reject(new Error("broken off"));
      }),
    ).rejects.toThrow("broken off");
    const [large, light] = [new Upload(budget, "a", 100), new Upload(budget, "b", 1)];
    await Promise.all([large.end(), light.end()]);
    const [whole, rest] = [new Upload(budget, "c", 60), new Upload(budget, "d", 40)];
    expect(await Promise.all([whole.end(), rest.end()])).toEqual(["received", "received"]);
  });
});
