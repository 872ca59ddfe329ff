import { beforeAll, describe, expect, test } from "vitest";
import { InputBlocks } from "../../../src/tools/run/blocks.ts";
import { openInput, prepare } from "../../../src/tools/run/input.ts";
import type { Plan } from "../../../src/tools/run/plan.ts";
import { jsonl, RunFolder } from "./run-folder.ts";

const ALL: Plan["rows"] = { limit: null, sample: null, seed: 7 };

const folder = new RunFolder();
beforeAll(async () => {
  await folder.write("rows.jsonl", jsonl(25));
});

async function blocksOf(rows = ALL, file = "rows.jsonl"): Promise<InputBlocks> {
  return new InputBlocks({ rows, block: 10 }, await prepare(await openInput(folder.at(file)), { state: undefined, copy: undefined }));
}

interface Read {
  readonly block: number;
  readonly ids: readonly unknown[];
  readonly digest: string;
}

async function allOf(blocks: InputBlocks): Promise<Read[]> {
  const all: Read[] = [];
  for (let next = await blocks.next(); next !== undefined; next = await blocks.next())
    all.push({
      block: next.digest.block,
      ids: next.rows.map(({ copied }) => (JSON.parse(`{${copied}}`) as { id: number }).id),
      digest: next.digest.digest(),
    });
  await blocks.close();
  return all;
}

describe("rows, a block at a time", () => {
  test("are all there, in order, and the last block is what is left", async () => {
    const blocks = await blocksOf();
    const all = await allOf(blocks);
    expect(all.map(({ block, ids }) => [block, ids.length])).toEqual([
      [0, 10],
      [1, 10],
      [2, 5],
    ]);
    expect(all.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: 25 }, (_, id) => id));
    expect(blocks.read).toBe(25);
  });

  test("are the same if blocks before them are passed over", async () => {
    const all = await allOf(await blocksOf());
    for (const from of [0, 1, 2]) {
      const blocks = await blocksOf();
      await blocks.skipTo(from);
      expect(blocks.at).toBe(from);
      expect(await allOf(blocks)).toEqual(all.slice(from));
    }
  });

  test("end where the input ends", async () => {
    const blocks = await blocksOf();
    await blocks.skipTo(9);
    expect(blocks.at).toBe(3);
    expect(await allOf(blocks)).toEqual([]);
  });

  test("are those that were selected", async () => {
    expect((await allOf(await blocksOf({ ...ALL, limit: 12 }))).map(({ ids }) => ids.length)).toEqual([10, 2]);
  });

  test("have another digest if a row, or its line, is another one", async () => {
    const all = await allOf(await blocksOf());
    await folder.write("changed.jsonl", jsonl(25).replace("order 15.", "order 16."));
    const changed = await allOf(await blocksOf(ALL, "changed.jsonl"));
    expect(changed.map(({ digest }, i) => digest === all[i]?.digest)).toEqual([true, false, true]);
    await folder.write("moved.jsonl", `\n${jsonl(25)}`);
    const moved = await allOf(await blocksOf(ALL, "moved.jsonl"));
    expect(moved.map(({ digest }, i) => digest === all[i]?.digest)).toEqual([false, false, false]);
  });
});
