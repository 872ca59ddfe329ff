import { describe, expect, it } from "vitest";
import { quickRequest } from "../../../support/long-requests.ts";
import { decideError } from "../../../support/rejection.ts";
import { readsApart } from "../suite-models.ts";
import type { Suite } from "../suite.ts";

/** States that are held. */
export function readings(suite: Suite): void {
  const { words, inputTokens } = suite;
  const { limits } = suite.model;

  describe("a reading", () => {
    it("answers as decide() does, and counts the same tokens", async () => {
      const { state, questions } = quickRequest;
      const expected = await suite.decider.decide(quickRequest);
      await using reading = await suite.decider.read(state);
      expect(await reading.decide(questions)).toEqual(expected);
      expect(reading.bytes > 0).toBe(readsApart(suite.model));
      expect((await suite.decider.info()).kept.heldBytes).toBe(reading.bytes);
      expect(reading.tokens).toBe(await inputTokens(state));
    });

    it("refuses a state that is too long, as decide() does", async () => {
      const state = words(limits.stateTokens + 1);
      const issue = { loc: ["body", "state"], type: "too_long" };
      expect(await decideError(() => suite.decider.read(state))).toMatchObject({ code: "input_too_long", issues: [issue] });
    });
  });
}
