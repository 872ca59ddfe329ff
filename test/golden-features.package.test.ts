import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { toBatch } from "../src/library/decide/decide.ts";
import { parseRequest } from "../src/library/decide/request.ts";
import type { Device, Precision } from "../src/library/engine/engine.ts";
import { loadNodeEngine, packFiles } from "../src/library/platform/node/engine.ts";
import { nodeRuntimes } from "../src/library/platform/node/runtimes.ts";
import { present } from "../src/library/validation/expect.ts";
import { golden } from "./support/golden.ts";
import { PACKAGE_ROOT, PACK_URL } from "./support/package-root.ts";

/** Features of questions of golden requests, by the Python reference (fp32): written by models/training/umpire_recipe/golden/features.py. */
interface GoldenFeatures {
  readonly madeWith: { readonly weightsSha256: string; readonly basisSha256: string; readonly layers: readonly number[] };
  readonly cases: readonly { readonly name: string; readonly question: string; readonly features: readonly number[] }[];
}

interface Manifest {
  readonly features: { readonly layers: readonly number[]; readonly basis: { readonly file: string; readonly components: number } };
  readonly files: Readonly<Record<string, { readonly sha256: string }>>;
}

const read = async (url: URL): Promise<unknown> => JSON.parse(await readFile(url, "utf8"));
const { madeWith, cases } = (await read(new URL("test/golden/umpire-2-features.json", PACKAGE_ROOT))) as GoldenFeatures;
const { features, files } = (await read(new URL("manifest.json", PACK_URL))) as Manifest;

const tokensOf = (name: string): number => golden.cases.find((one) => one.name === name)?.stateTokens ?? NaN;

interface Compared {
  readonly place: string;
  readonly found: readonly number[];
  readonly expected: readonly number[];
}

async function compared(device: Device, precision: Precision, longestTokens: number): Promise<Compared[]> {
  const runtimes = nodeRuntimes(new URL("dist/", PACKAGE_ROOT));
  const engine = await loadNodeEngine(packFiles(PACK_URL.href), runtimes, { device, precision, threads: 1 });
  try {
    expect(engine.info.features).toBe(2 * features.basis.components);
    const all: Compared[] = [];
    for (const { name, question, features: expected } of cases.filter((one) => tokensOf(one.name) <= longestTokens)) {
      const { state, questions } = present(
        golden.cases.find((one) => one.name === name),
        "golden request",
      ).request;
      const batch = toBatch(parseRequest({ state, questions: { [question]: questions[question] } }));
      const asked = batch.questions.map((one) => ({ ...one, withFeatures: true }));
      const [scored] = (await engine.score({ ...batch, questions: asked })).questions;
      all.push({ place: `${name}: ${question}`, found: [...(scored?.features ?? [])], expected });
    }
    return all;
  } finally {
    await engine.close();
  }
}

const product = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0);
const cosine = ({ found, expected }: Compared): number =>
  product(found, expected) / Math.sqrt(product(found, found) * product(expected, expected));
const difference = ({ found, expected }: Compared): number => Math.max(...expected.map((value, i) => Math.abs(value - (found[i] ?? NaN))));

describe("the golden features", () => {
  it("belong to this pack's weights, layers and basis", () => {
    expect(madeWith.weightsSha256).toBe(files["weights.bin"]?.sha256);
    expect(madeWith.basisSha256).toBe(files[features.basis.file]?.sha256);
    expect(madeWith.layers).toEqual(features.layers);
  });

  it("are of all types, of states of many windows, and of a question without instructions, whose part is zeros", () => {
    const questions = cases.map(({ name, question }) => golden.cases.find((one) => one.name === name)?.request.questions[question]);
    expect(new Set(questions.map((question) => question?.type))).toEqual(new Set(["choice", "noul", "score"]));
    expect(Math.max(...cases.map(({ name }) => tokensOf(name)))).toBeGreaterThan(5 * 382);
    const half = features.basis.components;
    const isZero = cases.map((one) => one.features.slice(half).every((value) => value === 0));
    expect(isZero).toEqual(questions.map((question) => question?.instructions === undefined));
    expect(isZero).toContain(true);
  });

  it("are given in fp32 within 1e-4, of states of up to two windows", async () => {
    const all = await compared("cpu", "fp32", 2 * 382);
    expect(all.length).toBeGreaterThan(8);
    expect(all.filter((one) => !(difference(one) <= 1e-4)).map(({ place }) => place)).toEqual([]);
  });

  it.each([
    ["cpu", Infinity],
    ["wasm", 100],
  ] as const)("are nearly given on %s in int8", async (device, longestTokens) => {
    const all = await compared(device, "int8", longestTokens);
    expect(all.length).toBeGreaterThan(4);
    expect(all.filter((one) => !(cosine(one) >= 0.998)).map(({ place }) => place)).toEqual([]);
  });
});
