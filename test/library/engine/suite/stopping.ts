import { setImmediate as nextTask, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { quickRequest } from "../../../support/long-requests.ts";
import { rejection } from "../../../support/rejection.ts";
import { busyRequestFor, longRequestFor } from "../suite-models.ts";
import type { Suite } from "../suite.ts";

/** Work that an abort ends: the model looks for it between two runs. */
export function stopping(suite: Suite): void {
  const { model, make } = suite;
  const longRequest = longRequestFor(model);

  describe("stops when it is aborted", () => {
    const reason = { any: "value", at: 1 };

    it("while it runs: with the very reason, and the model stops", async () => {
      // Half as long, begins first and goes on: a model that does not stop comes after it.
      await using other = await make();
      const whole = new AbortController();
      const unaborted = rejection(() => other.decide(longRequestFor(model, 0.5), { signal: whole.signal }));
      const controller = new AbortController();
      const failed = rejection(() => suite.decider.decide(longRequest, { signal: controller.signal }));
      await sleep(100);
      controller.abort(reason);
      expect(await failed).toBe(reason);
      // The whole request takes many seconds; the next call does not wait for them.
      const next = suite.decider.decide(quickRequest).then(() => "the next call");
      expect(await Promise.race([next, unaborted])).toBe("the next call");
      whole.abort(reason);
      expect(await unaborted).toBe(reason);
    });

    it("while it waits for its turn: at once, and the call before it is answered", async () => {
      const controller = new AbortController();
      const before = suite.decider.decide(busyRequestFor(model));
      const waiting = suite.decider.decide(longRequest, { signal: controller.signal });
      const failed = rejection(() => waiting);
      await nextTask();
      controller.abort(reason);
      expect(await Promise.race([failed, before.then(() => "the call before it came first")])).toBe(reason);
      expect((await before).usage.input_tokens).toBeGreaterThan(1000);
    });
  });
}
