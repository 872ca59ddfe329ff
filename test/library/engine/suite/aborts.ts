import { setImmediate as nextTask, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { longRequest, quickRequest } from "../../../support/long-requests.ts";
import { rejection } from "../../../support/rejection.ts";
import type { Suite } from "../suite.ts";

/** Calls and deciders that are aborted. */
export function aborts(suite: Suite): void {
  const { make } = suite;
  const { id } = suite.model;

  describe("is aborted", () => {
    const reason = { any: "value", at: 1 };

    it("before the call: nothing of the request is read", async () => {
      let read = false;
      const request = {
        get state(): string {
          read = true;
          return "s";
        },
        questions: quickRequest.questions,
      };
      expect(await rejection(() => suite.decider.decide(request, { signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(read).toBe(false);
    });

    it("with an AbortError when no reason is given, and with a TimeoutError by a timeout", async () => {
      const controller = new AbortController();
      const failed = rejection(() => suite.decider.decide(longRequest, { signal: controller.signal }));
      controller.abort();
      expect(await failed).toMatchObject({ name: "AbortError" });
      expect(await rejection(() => suite.decider.decide(longRequest, { signal: AbortSignal.timeout(50) }))).toMatchObject({
        name: "TimeoutError",
      });
    });

    it("without harm to calls of other signals", async () => {
      const [mine, other] = [new AbortController(), new AbortController()];
      const failed = rejection(() => suite.decider.decide(quickRequest, { signal: mine.signal }));
      const answered = suite.decider.decide(quickRequest, { signal: other.signal });
      mine.abort(reason);
      expect(await failed).toBe(reason);
      expect((await answered).answers.late.noul).toBeGreaterThan(0);
      // After the answer it changes nothing.
      other.abort(reason);
    });

    it("as a whole, by its own signal: running calls and later ones reject with the reason", async () => {
      const controller = new AbortController();
      const own = make({ signal: controller.signal });
      await own;
      const failed = rejection(() => own.decide(longRequest));
      await sleep(50);
      controller.abort(reason);
      expect(await failed).toBe(reason);
      expect(await rejection(() => own.decide(quickRequest))).toBe(reason);
      expect(await rejection(() => own.info())).toBe(reason);
      await own.close();
    });

    it("while it loads", async () => {
      const controller = new AbortController();
      const own = make({ signal: controller.signal });
      const failed = rejection(() => own.info());
      // No later: a tiny model loads in milliseconds.
      await Promise.resolve();
      controller.abort(reason);
      expect(await failed).toBe(reason);
      await own.close();
      expect(await rejection(() => make({ signal: AbortSignal.abort(reason) }).info())).toBe(reason);
    });

    it("and one call's abort leaves the loading to the others", async () => {
      await using own = make();
      const controller = new AbortController();
      const failed = rejection(() => own.decide(quickRequest, { signal: controller.signal }));
      const answered = own.decide(quickRequest);
      controller.abort(reason);
      expect(await failed).toBe(reason);
      expect((await answered).model).toBe(id);
    });

    it("by one signal again and again without leaving listeners on it", async () => {
      const controller = new AbortController();
      const warnings: string[] = [];
      const onWarning = (warning: Error): void => void warnings.push(warning.name);
      process.on("warning", onWarning);
      for (let i = 0; i < 15; i++) {
        const own = make({ signal: controller.signal });
        if (i === 0) await own;
        await own.close();
      }
      for (let i = 0; i < 15; i++) await suite.decider.decide(quickRequest, { signal: controller.signal });
      await nextTask();
      process.off("warning", onWarning);
      expect(warnings).toEqual([]);
    });
  });
}
