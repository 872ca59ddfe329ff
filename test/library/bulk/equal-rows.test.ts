import { describe, expect, test } from "vitest";
import { decideMany } from "../../../src/library/bulk/decide-many.ts";
import type { RowDecider } from "../../../src/library/bulk/answer-row.ts";
import type { DecideRequest, DecideResponse, ManyRequest, ManyResult } from "../../../src/public.ts";
import { ended, next } from "./loops.ts";
import { A, ANGRY, B, LATE, QUESTIONS, WatchedRows, about, collected, quickDecider } from "./rows.ts";

const decider = quickDecider();

/** A decider, and the states that it read: by themselves, or for several questions. */
class WatchedDecider implements RowDecider {
  readonly decided: unknown[] = [];
  readonly read_: string[] = [];
  asked = 0;
  open = 0;
  decide(...[request, options]: Parameters<RowDecider["decide"]>): Promise<DecideResponse> {
    this.decided.push(request.state);
    return decider.decide(request, options);
  }

  async read(...[state, options]: Parameters<RowDecider["read"]>): ReturnType<RowDecider["read"]> {
    this.read_.push(state);
    const reading = await decider.read(state, options);
    this.open++;
    return {
      decide: (questions, call) => {
        this.asked++;
        return reading.decide(questions, call);
      },
      close: async () => {
        this.open--;
        await reading.close();
      },
    };
  }
}

async function expectAsAlone(results: readonly ManyResult[], rows: readonly ManyRequest[]): Promise<void> {
  expect(results).toHaveLength(rows.length);
  for (const [index, row] of rows.entries()) expect(results[index]).toEqual({ index, ...(await decider.decide(row as DecideRequest)) });
}

describe.each([1, 2])("with %i workers", (workers) => {
  test("rows about the same state have it read once, and freed after the last", async () => {
    const watched = new WatchedDecider();
    const rows = [...about(A, ANGRY, LATE, ANGRY), ...about(B, ANGRY), ...about(A, LATE), ...about(B, LATE, ANGRY)];
    await expectAsAlone(await collected(decideMany(watched, rows, {}, workers)), rows);
    expect({ decided: watched.decided, read: watched.read_ }).toEqual({ decided: [B, A], read: [A, B] });
    expect(watched.open).toBe(0);
    expect((await decider.info()).kept.heldBytes).toBe(0);
  });

  test("rows that ask the same about it share their answers", async () => {
    const watched = new WatchedDecider();
    const texts = [A, A, A, B, A];
    const results = await collected(decideMany(watched, texts, { questions: QUESTIONS }, workers));
    await expectAsAlone(
      results,
      texts.map((state) => ({ state, questions: QUESTIONS })),
    );
    expect([watched.read_, watched.asked, watched.decided]).toEqual([[A], 1, [B, A]]);
  });
});

test("objects are the same state if they are read alike, and not if one object is used again", async () => {
  const watched = new WatchedDecider();
  const used = { text: A };
  function* rows(): Generator {
    yield { text: A };
    yield used;
    used.text = B;
    yield used;
  }
  const results = await collected(decideMany(watched, rows(), { questions: QUESTIONS }, 1));
  await expectAsAlone(
    results,
    [A, A, B].map((text) => ({ state: { text }, questions: QUESTIONS })),
  );
  expect([watched.read_.length, watched.asked, watched.decided.length]).toEqual([1, 1, 1]);
});

test("an answer that is changed by its owner changes in no other row", async () => {
  const results: ManyResult[] = [];
  for await (const result of decider.decideMany([A, A, A], { questions: QUESTIONS })) {
    results.push(structuredClone(result));
    if (result.answers) Object.assign(result.answers.angry, { noul: 2 });
  }
  expect(results[2]).toEqual({ ...results[0], index: 2 });
});

test("the same state is another one for another model", async () => {
  const watched = new WatchedDecider();
  const rows = about(A, ANGRY, LATE).map((row, i) => (i === 0 ? row : { ...row, model: "umpire-9" }));
  const [first, second] = await collected(decideMany(watched, rows, {}, 1));
  expect(first?.answers).toBeDefined();
  expect(second?.error?.code).toBe("model_not_found");
  expect(watched.read_).toEqual([]);
});

test("a row does not wait for the next one of a source that is slow", async () => {
  let letGo = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const rows = new WatchedRows(about(A, ANGRY, LATE), (index) => (index === 1 ? released : undefined));
  const results: ManyResult[] = [];
  for await (const result of decider.decideMany(rows)) {
    results.push(result);
    // Only now does the second row come.
    letGo();
  }
  await expectAsAlone(results, about(A, ANGRY, LATE));
});

test("a loop that is left frees the state that was read for it", async () => {
  const rows = Array.from({ length: 50 }, (_, i) => about(A, i % 2 === 0 ? ANGRY : LATE)).flat();
  const iterator = decider.decideMany(rows)[Symbol.asyncIterator]();
  await next(iterator);
  await ended(iterator);
  await expect.poll(async () => (await decider.info()).kept.heldBytes).toBe(0);
});
