import { readFile } from "node:fs/promises";
import { PbfReader } from "pbf";
import { describe, expect, it } from "vitest";
import { PACK_URL } from "../../support/package-root.ts";
import { load } from "./modules.ts";
import type { Run, Shape } from "./modules.ts";

// onnxruntime would report to its maker otherwise.
process.env["ORT_DISABLE_TELEMETRY"] = "1";

const { floorRuns, productsOf } = await load("floor/runs");
const { floorGraph, shapeOf } = await load("floor/graph");
const { openFloor } = await load("floor/floor");
const { peakOf } = await load("floor/peak");

const LIMITS = { windowTokens: 384, overlapTokens: 64 };
const TINY: Shape = { layers: 2, heads: 2, headSize: 4, width: 8, inner: 32 };

describe("the floor's runs", () => {
  it("are one for the state and one for each question with its options", () => {
    const runs = floorRuns(
      {
        state: 144,
        questions: [
          { instructions: 6, options: [2, 3, 5] },
          { instructions: 0, options: [1, 1] },
        ],
      },
      LIMITS,
    );
    expect(runs).toEqual([
      { rows: 146, seen: 146, options: 0, optionTokens: 0 },
      { rows: 8 + 16, seen: 146 + 8, options: 3, optionTokens: 5 },
      { rows: 6, seen: 146, options: 2, optionTokens: 3 },
    ]);
  });

  it("read a long state in windows, as the engine does", () => {
    const runs = floorRuns({ state: 700, questions: [{ instructions: 1, options: [1] }] }, LIMITS);
    expect(runs.slice(0, 2).map(({ rows, seen }) => [rows, seen])).toEqual([
      [384, 384],
      [384, 384],
    ]);
    expect(runs[2]?.seen).toBe(768 + 3);
  });

  it("are no larger than memory allows, and lose nothing when they are divided", () => {
    const options = Array.from({ length: 255 }, () => 4);
    const runs = floorRuns({ state: 600, questions: [{ instructions: 6, options }] }, LIMITS).slice(2);
    const sum = (of: (run: Run) => number): number => runs.reduce((all, run) => all + of(run), 0);
    expect(runs.length).toBeGreaterThan(1);
    expect([sum(({ rows }) => rows), sum(({ options: some }) => some)]).toEqual([8 + 255 * 6, 255]);
  });
});

describe("the floor's graph", () => {
  it("has as many weights as the model's products", async () => {
    const { network } = JSON.parse(await readFile(new URL("manifest.json", PACK_URL), "utf8")) as {
      network: { layers: number; heads: number; headSize: number };
    };
    const stored = await int8Matrices(new URL("int8.onnx", PACK_URL));
    const { constants } = floorGraph(shapeOf(network), "int8");
    const ours = constants.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(stored).toContain(network.heads * network.headSize * 4 * network.heads * network.headSize);
    expect(ours).toBe(stored.reduce((sum, size) => sum + size, 0));
  });

  it.each(["int8", "fp32"] as const)("multiplies as often as its shapes say, in %s", (precision) => {
    const run = { rows: 24, seen: 154, options: 3, optionTokens: 5 };
    expect(multiplications(TINY, precision, run)).toEqual(productsOf(run, TINY));
  });

  it.each(["int8", "fp32"] as const)("runs, with options and without, in %s", async (precision) => {
    const floor = await openFloor(TINY, LIMITS, { precision, threads: 1 });
    expect(await floor.ask({ state: 30, questions: [{ instructions: 4, options: [2, 3] }] })).toBeGreaterThan(0);
    await floor.close();
  });
});

it("the peak is a number", async () => {
  for (const precision of ["int8", "fp32"] as const) expect(await peakOf({ precision, threads: 1 })).toBeGreaterThan(0.1);
});

/** Multiplications of the graph's nodes, counted from the sizes of what they multiply. */
function multiplications(shape: Shape, precision: "int8" | "fp32", run: Run): { linear: number; attention: number } {
  const { nodes, inputs, constants } = floorGraph(shape, precision);
  const named: Record<string, number> = {
    rows: run.rows,
    seen: run.seen,
    options: run.options,
    option_tokens: run.optionTokens,
    blocks: run.options * shape.heads,
  };
  const sizes = new Map(
    [...inputs, ...constants].map(({ name, sizes: all }) => [
      name,
      all.map((size) => (typeof size === "number" ? size : (named[size] ?? NaN))),
    ]),
  );
  const isConstant = new Set(constants.map(({ name }) => name));
  const sums = { linear: 0, attention: 0 };
  for (const {
    inputs: [left, right],
  } of nodes) {
    const product = (sizes.get(left) ?? []).reduce((all, size) => all * size, 1) * (sizes.get(right)?.at(-1) ?? NaN);
    expect(sizes.get(left)?.at(-1)).toBe(sizes.get(right)?.at(-2));
    sums[isConstant.has(right) ? "linear" : "attention"] += product;
  }
  return sums;
}

/** Sizes of the matrices in int8 that a graph multiplies with; the table of words, which it looks up, is left out. */
async function int8Matrices(file: URL): Promise<number[]> {
  const INT8 = 3;
  const MOST_ROWS = 10_000;
  const found: number[] = [];
  const tensor = (tag: number, one: { sizes: number[]; type: number }, message: PbfReader): void => {
    if (tag === 1) message.readPackedVarint(one.sizes);
    if (tag === 2) one.type = message.readVarint();
  };
  const graph = (tag: number, _: object, message: PbfReader): void => {
    if (tag !== 5) return;
    const { sizes, type } = message.readMessage(tensor, { sizes: [] as number[], type: 0 });
    const [rows = 0, columns = 0] = sizes;
    if (type === INT8 && sizes.length === 2 && rows < MOST_ROWS) found.push(rows * columns);
  };
  new PbfReader(await readFile(file)).readFields((tag, _, message) => {
    if (tag === 7) message.readMessage(graph, {});
  }, {});
  return found;
}
