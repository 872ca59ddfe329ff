import { createDecider } from "umpire";
import type { Decider } from "umpire";
import { beforeAll, expect, test } from "vitest";
import type { Plan } from "../../../../src/tools/run/plan.ts";
import type { RunFile } from "../../../../src/tools/run/queue/chunk.ts";
import { RunHere } from "../../../../src/tools/run/queue/work.ts";
import { version } from "../../../../src/version.ts";
import { QUESTIONS } from "../run-folder.ts";

let plan: Plan;
beforeAll(async () => {
  await using decider = await createDecider();
  const { model, seal, device, precision } = await decider.info();
  plan = {
    umpire_run: 1,
    version,
    questions: QUESTIONS,
    model: { id: model, seal, device, precision },
    lessons: [],
    maxErrorRate: null,
    state: "text",
    id: null,
    columns: [],
    taken: ["answers", "error"],
    reading: { delimiter: null, quotes: null },
    copiesAll: true,
    rows: { limit: null, sample: null, seed: 7 },
    onError: "report",
    block: 500,
    shard: null,
  };
});

/** Opens a run whose plan differs in something. @returns the decider that it was given, if any */
async function opened(change: Partial<Plan>): Promise<readonly Decider[]> {
  const deciders: Decider[] = [];
  const run: RunFile = { plan: { ...plan, ...change }, input: "/nowhere.jsonl", model: plan.model.id, lessons: [] };
  const here = RunHere.open("digest", run, () => {
    const decider = createDecider();
    deciders.push(decider);
    return decider;
  });
  await here.then((run) => run.close()).finally(() => Promise.all(deciders.map(expectClosed)));
  return deciders;
}

async function expectClosed(decider: Decider): Promise<void> {
  await expect(decider.info()).rejects.toMatchObject({ code: "closed" });
}

test("a run that this machine answers as the others do is opened, and its model is closed in the end", async () => {
  expect(await opened({})).toHaveLength(1);
});

test("another version is refused", async () => {
  await expect(opened({ version: "9.9.9" })).rejects.toThrow(
    `The run is of umpire 9.9.9, and this worker is ${version}. Use one version on all machines.`,
  );
});

test.each([
  ["model", { id: "umpire-1" }, "The run is answered by umpire-1 (int8, "],
  ["content of the model", { seal: "0123456789abcdef" }, "with the seal 01234567, and this worker has umpire-2 (int8, "],
  ["device", { device: "webgpu" }, "(int8, webgpu)"],
  ["precision", { precision: "fp32" }, "(fp32, "],
] as const)("another %s is refused", async (_, changed, words) => {
  await expect(opened({ model: { ...plan.model, ...changed } })).rejects.toThrow(words);
});
