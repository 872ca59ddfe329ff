import { expect, it } from "vitest";
import { ASKED, TEXTS } from "../../../support/texts.ts";
import type { Suite } from "../suite.ts";

/** What must be the same, wherever a model runs. */
export function places({ make, words, model }: Suite): void {
  it("answers on the caller's thread as in a worker, bit for bit", async () => {
    await using here = await make({ inline: true, threads: 1 });
    await using there = await make({ inline: false, threads: 1 });
    const questions = {
      which: {
        type: "choice",
        instructions: ASKED.team,
        criteria: { billing: "refunds and invoices", shipping: null },
      },
      late: { type: "noul", instructions: ASKED.late },
      mood: { type: "score", instructions: ASKED.upset, criteria: ["calm", "annoyed", "furious"] },
    } as const;
    for (const state of [TEXTS.late, `${words(2 * model.limits.windowTokens)} There is a fire.`]) {
      expect(await here.decide({ state, questions })).toEqual(await there.decide({ state, questions }));
    }
  });
}
