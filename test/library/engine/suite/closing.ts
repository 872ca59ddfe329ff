import type { DecideRequest, Decider, LazyDecider } from "umpire";
import { describe, expect, it } from "vitest";
import { longRequest, quickRequest } from "../../../support/long-requests.ts";
import { decideError, rejection } from "../../../support/rejection.ts";
import type { Suite } from "../suite.ts";

/** Deciders that are closed. */
export function closing(suite: Suite): void {
  const { make, words } = suite;
  const { limits } = suite.model;

  describe("is closed", () => {
    it("after the calls that were made, in their order, and takes no more", async () => {
      const own = make();
      const order: string[] = [];
      const calls = ["running", "queued", "last"].map((id) =>
        own.decide(quickRequest).then((response) => {
          order.push(id);
          return response;
        }),
      );
      const closing = own.close().then(() => order.push("closed"));
      const error = await decideError(() => own.decide(quickRequest));
      expect(error).toMatchObject({ code: "closed", status: 503, retryable: false });
      expect(await decideError(() => own.info())).toMatchObject({ code: "closed" });
      const responses = await Promise.all(calls);
      await closing;
      expect(order).toEqual(["running", "queued", "last", "closed"]);
      for (const { answers } of responses) expect(answers.late.noul).toBeGreaterThan(0);
    });

    it("when twenty calls wait: each is answered, in the order in which they were made", async () => {
      await using own = make();
      const order: number[] = [];
      await Promise.all(Array.from({ length: 20 }, (_, i) => own.decide(quickRequest).then(() => order.push(i))));
      expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
    });

    it("before its first use, twice, and at the same time", async () => {
      const own = make();
      await Promise.all([own.close(), own.close()]);
      await own.close();
      expect(await decideError(() => own.decide(quickRequest))).toMatchObject({ code: "closed" });
    });

    it("refuses before it looks at the request", async () => {
      const own = make();
      await own.close();
      expect(await decideError(() => own.decide({} as DecideRequest))).toMatchObject({ code: "closed" });
    });

    it("after calls that failed and were aborted", async () => {
      const own = make();
      const failed = rejection(() => own.decide({ ...quickRequest, state: words(limits.stateTokens + 1) }));
      const controller = new AbortController();
      const aborted = rejection(() => own.decide(longRequest, { signal: controller.signal }));
      await own.info();
      controller.abort("enough");
      await own.close();
      expect(await failed).toMatchObject({ code: "input_too_long" });
      expect(await aborted).toBe("enough");
    });

    it("by `await using`, awaited or not", async () => {
      let awaited: Decider;
      let lazy: LazyDecider;
      {
        await using first = await make();
        await using second = make();
        [awaited, lazy] = [first, second];
        await Promise.all([first.decide(quickRequest), second.decide(quickRequest)]);
      }
      expect(await decideError(() => awaited.decide(quickRequest))).toMatchObject({ code: "closed" });
      expect(await decideError(() => lazy.decide(quickRequest))).toMatchObject({ code: "closed" });
    });
  });
}
