import fc from "fast-check";
import { createDecider } from "umpire";
import type { Decider, DecideRequest, ManyRequest } from "umpire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkWithModel } from "../../support/model-property.ts";
import { anyRequest } from "../../support/random-requests.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { collected } from "./rows.ts";

let alone: Decider;
let two: Decider;
beforeAll(async () => {
  [alone, two] = await Promise.all([
    createDecider({ threads: 1, cacheBytes: 0 }),
    createDecider({ threads: 1, workers: 2, cacheBytes: 0 }),
  ]);
});
afterAll(() => Promise.all([alone.close(), two.close()]));

/** Rows, good and bad ones, some of them several times beside each other. */
const rows = fc
  .array(fc.tuple(anyRequest, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 6 })
  .map((groups) => groups.flatMap(([request, times]) => Array.from({ length: times }, () => request)));

async function answerAlone(row: unknown): Promise<unknown> {
  try {
    return await alone.decide(row as DecideRequest);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { error: { code, message } };
  }
}

test("every row is answered as alone, bit for bit, with any concurrency, ordered or not, by one worker or two", async () => {
  const options = fc.record({ concurrency: fc.integer({ min: 1, max: 12 }), ordered: fc.boolean() });
  await checkWithModel(
    fc.asyncProperty(rows, options, fc.boolean(), async (requests, how, byTwo) => {
      const results = await collected((byTwo ? two : sharedDecider).decideMany(requests as ManyRequest[], how));
      if (how.ordered) expect(results.map(({ index }) => index)).toEqual(requests.map((_, i) => i));
      expect(new Set(results.map(({ index }) => index)).size).toBe(requests.length);
      for (const { index, ...result } of results) {
        const { error } = result;
        const plain = error === undefined ? result : { error: { code: error.code, message: error.message } };
        expect(plain).toEqual(await answerAlone(requests[index]));
      }
    }),
    20,
  );
});
