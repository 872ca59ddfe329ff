import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { clip, wrap } from "../../src/tools/cli/output/terminal-text.ts";
import { parseRequest } from "../../src/library/decide/request.ts";
import type { Decider } from "../../src/library/decider/decider.ts";
import { createKeys } from "../../src/service/auth/key-ring.ts";
import { createHandler } from "../../src/service/handler/handler.ts";

/** Work is measured in processor time, and judged by other work of the same run: so neither the machine nor its other programs matter. */

const RUNS = 5;

/** Processor time of this process, in ms: the least of some runs. An error is an outcome, too. */
async function workMs(task: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = process.cpuUsage();
    try {
      await task();
    } catch {
      // What it says is tested elsewhere.
    }
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

const noul = { type: "noul", instructions: "Is it late?" };

/** The work for an honest request of the largest size that the service takes: 65,000 values in 1 MiB. */
async function honestMs(): Promise<number> {
  const state = Array.from({ length: 65_000 }, (_, i) => `parcel ${i}`);
  const text = JSON.stringify({ model: "latest", state, questions: { q: noul } });
  return workMs(() => parseRequest(JSON.parse(text), { modelRequired: true }));
}

describe("the work for a text grows with its length, and no faster:", () => {
  it.each(["x", "語", "ab "])("wrapping %j", async (part) => {
    const ofLength = (length: number): Promise<number> => {
      const text = part.repeat(length);
      return workMs(() => wrap(text, 40));
    };
    await ofLength(10_000);
    // Measuring the rest of the text again for each line would take 100 times as long.
    expect((await ofLength(100_000)) / (await ofLength(10_000))).toBeLessThan(30);
  });

  it("clipping costs the same for any text", async () => {
    const text = Buffer.from("é\u0301".repeat(2_000_000)).toString();
    const short = text.slice(0, 2000);
    const clipped = (of: string): Promise<number> =>
      workMs(() => {
        for (let i = 0; i < 1000; i++) clip(of, 40);
      });
    // Looking at all of it would take 2,000 times as long.
    expect((await clipped(text)) / (await clipped(short))).toBeLessThan(50);
  });
});

it("a key is found among 10,000 as soon as among ten, wherever it is in the list", async () => {
  const secrets = Array.from({ length: 10_000 }, () => randomBytes(32).toString("base64url"));
  const finding = async (count: number): Promise<number> => {
    const listed = secrets.slice(0, count);
    const ring = createKeys(listed.map((secret, i) => ({ name: `k${i}`, sha256: createHash("sha256").update(secret).digest("hex") })));
    return workMs(async () => {
      for (let i = 0; i < 1000; i++) expect(await ring.find(listed[(i * 33) % count] ?? "")).toBeDefined();
    });
  };
  await finding(10);
  // Looking at each key would take 1,000 times as long.
  expect((await finding(10_000)) / (await finding(10))).toBeLessThan(50);
});

describe("a request that is made to cost much costs little more than an honest one:", () => {
  const doubling = (leaf: unknown): unknown => {
    let value: unknown = [leaf, leaf];
    for (let level = 0; level < 60; level++) value = [value, value];
    return value;
  };
  const sparse = (length: number): unknown[] => {
    const value: unknown[] = [];
    value.length = length;
    return value;
  };
  const all = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`k${i}`, doubling("boom")]));

  it.each<[string, object]>([
    ["levels without end", { state: "s", questions: { q: { type: "score", instructions: "?", criteria: sparse(2 ** 32 - 1) } } }],
    ["a state without end", { state: sparse(2 ** 32 - 1), questions: { q: noul } }],
    ["a state that is its own multiple", { state: doubling("x"), questions: { q: noul } }],
    ["one long text a thousand times", { state: Array.from({ length: 1000 }, () => "long text ".repeat(10_000)), questions: { q: noul } }],
    [
      "255 options that are their own multiples",
      { state: doubling("x"), questions: { q: { type: "choice", instructions: "?", criteria: all } } },
    ],
  ])("%s", async (_, request) => {
    const ratio = (await workMs(() => parseRequest(request, { modelRequired: false }))) / (await honestMs());
    expect(ratio).toBeLessThan(200);
  });
});

describe("a body of a megabyte that is refused costs a few times what it costs to parse it:", () => {
  /** As many entries as a body may have. */
  const object = (count: number, entry: (i: number) => [string, unknown]): object =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => entry(i)));
  const asking = (questions: object): object => ({ model: "latest", state: "s", questions });
  const noulWith = (fields: object): object => ({ type: "noul", instructions: "?", ...fields });
  /** Names that are like `name`: two letters stand in it that do not belong there. */
  const misspelt = (name: string, i: number): string => {
    const [at, letters] = [i % name.length, Math.floor(i / name.length).toString(36)];
    return name.slice(0, at) + letters.slice(0, 1) + name.slice(at) + letters.slice(1);
  };
  const bad = object(250, (i) => [`k${i}`, 7]);

  it.each<[string, object]>([
    ["60,000 questions that are numbers", asking(object(60_000, (i) => [`q${i}`, 1]))],
    ["30,000 questions with a misspelt type", asking(object(30_000, (i) => [`q${i}`, { type: "nuol" }]))],
    ["18,000 good questions under a wrong name", { model: "latest", state: "s", question: object(18_000, (i) => [`q${i}`, noul]) }],
    [
      "a question with 60,000 options that are numbers",
      asking({ q: { type: "choice", instructions: "?", criteria: object(60_000, (i) => [`k${i}`, 7]) } }),
    ],
    ["60,000 bad options under a wrong name", asking(object(240, (i) => [`q${i}`, { type: "choice", instructions: "?", options: bad }]))],
    ["a noul with 60,000 criteria", asking({ q: noulWith({ criteria: object(60_000, (i) => [`k${i}`, 7]) }) })],
    ["60,000 misspelt fields of one question", asking({ q: noulWith(object(60_000, (i) => [misspelt("criteria", i), 1])) })],
    [
      "50,000 misspelt fields of 250 questions",
      asking(object(250, (i) => [`q${i}`, noulWith(object(200, (j) => [misspelt("criteria", 200 * i + j), 1]))])),
    ],
    [
      "60,000 misspelt fields beside no questions",
      { model: "latest", state: "s", ...object(60_000, (i) => [misspelt("questions", i), 1]) },
    ],
  ])("%s", async (_, body) => {
    const text = JSON.stringify(body);
    expect(text.length).toBeLessThan(1_048_576);
    const handler = createHandler({ decider: { decide: () => Promise.reject(new Error("not refused")) } as unknown as Decider });
    const refuse = (): Promise<Response> => handler("http://umpire.local/decision/v1/model", { method: "POST", body: text });
    const response = await refuse();
    expect([response.status, (await response.text()).length < 100_000]).toEqual([422, true]);
    const parsingMs = await workMs(() => JSON.parse(text) as unknown);
    expect((await workMs(refuse)) / parsingMs).toBeLessThan(12);
  });
});
