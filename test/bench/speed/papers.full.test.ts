import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { runScript } from "../../support/child-program.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { MOST_WORDS, wordsOf } from "../../support/words.ts";
import { load } from "./modules.ts";
import type { Estimate, Figures } from "./modules.ts";

const { speedDrawings } = await load("drawings");
const { baseSection, checkWhole, logSection, readmeSection, readmeTable, speedSection, withSection } = await load("papers");
const { planOf, keyOf } = await load("grid");

const figures = (medianMs: number): Figures => ({ medianMs, p95Ms: medianMs * 1.2, lowMs: medianMs, highMs: medianMs, calls: 8 });
const estimate = (value: number): Estimate => ({ value, low: value * 0.9, high: value * 1.1 });
const PEER = "transformers.js fp32";
const QUANTISED = "transformers.js q8";

const RESULTS = {
  extent: "usual",
  environment: { model: "umpire-2", graph: "int8", threads: 2, node: "v20", processor: "a processor", processors: 2 },
  notes: ["transformers.js fp32 takes 2 threads"],
  peak: [{ threads: 1, int8: 200, fp32: 50 }],
  cells: planOf("usual").sizes.map((size) => {
    const measured = (factor: number): object => ({
      first: figures(12 * factor),
      warm: figures(10 * factor),
      timesAsLong: estimate(factor),
    });
    const isLong = size.tokens > 512;
    return {
      key: keyOf(size),
      name: `request ${keyOf(size)}`,
      size,
      atPeakMs: 4,
      overFloor: estimate(2),
      overFp32: estimate(0.5),
      notes: size.tokens === 512 ? [`${PEER}: it cuts`, `${QUANTISED}: it cuts`] : [],
      contenders: { umpire: measured(1), ...(isLong ? {} : { [PEER]: measured(17), [QUANTISED]: measured(8) }), floor: measured(0.5) },
    };
  }),
  secondQuestion: {
    tokens: 2048,
    first: figures(200),
    second: figures(10),
    ratio: estimate(20),
    repeated: { tokens: 512, first: figures(60), second: figures(10), ratio: estimate(6) },
  },
  callers: [{ setting: "1 worker", callers: 8, perSecond: 60, medianMs: 130, p95Ms: 150 }],
  starts: {
    umpire: { ms: estimate(250), rssMb: 150 },
    peer: { ms: estimate(500), rssMb: 250 },
    ratio: estimate(0.5),
    partsMs: { bootMs: 40, importMs: 20, sessionMs: 90 },
  },
};

const BASE = {
  environment: { ...RESULTS.environment, model: "umpire-3-base" },
  notes: [],
  cells: RESULTS.cells.slice(0, 3).map((cell) => ({ ...cell, notes: [`${PEER}: it is large`] })),
  starts: { ...RESULTS.starts, umpire: { ms: estimate(840), rssMb: 410 } },
};

it("a figure for each axis has a line for each contender that can read such requests", () => {
  const drawings = speedDrawings(RESULTS);
  expect(drawings.map(({ name }) => name)).toEqual(["speed-options", "speed-tokens", "speed-questions"]);
  for (const { svg } of drawings) {
    expect(svg.match(/<path class="line line-/g)).toHaveLength(2 * 4);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
  const [, byTokens] = drawings;
  // The peer reads three of the five states.
  expect(byTokens?.svg.match(/class="dot-1"/g)).toHaveLength(3);
  expect(byTokens?.svg).toContain(">8,192<");
});

const DRAWINGS = [{ name: "speed-options", title: "Time by options" }];

it("the log gets every table, docs/speed.md those that a user needs", () => {
  const [log, speed] = [logSection(RESULTS), speedSection(RESULTS, DRAWINGS)];
  for (const section of [log, speed]) {
    for (const part of ["17.0 x", "cannot", `\\* ${PEER}, ${QUANTISED}: it cuts`, "250 ms"]) expect(section).toContain(part);
    expect(section).not.toMatch(/NaN|undefined|Infinity/);
  }
  for (const part of ["reached", "floor", "at the peak", "GMAC/s", "of loading: sessions made"]) {
    expect(log).toContain(part);
    expect(speed).not.toContain(part);
  }
  expect(speed).toContain("![Time by options](speed-options.svg)");
  expect(speed).toContain("| 1 worker | 60.0 |");
});

it("the README gets the few rows that it has room for", () => {
  expect(readmeTable(RESULTS)[1]).toEqual(["request 10/144/1", "10.0 ms", "170 ms", "17.0"]);
  expect(readmeTable(RESULTS).flat()).toContain("170 ms, without its labels: it cuts at 512");
});

it("the base model has a part of its own, and the log says nothing of it where its pack is not there", () => {
  const [log = "", ofBase = ""] = logSection({ ...RESULTS, base: BASE }).split("### umpire-3-base");
  expect(log).toContain("250 ms");
  for (const base of [ofBase, baseSection(BASE)]) {
    for (const part of ["request 10/144/1", "17.0 x", `\\* ${PEER}: it is large`, "840 ms", "410 MB"]) expect(base).toContain(part);
    expect(base).not.toMatch(/NaN|undefined|Infinity/);
  }
  expect(logSection(RESULTS)).not.toContain("### umpire-3-base");
});

const read = (path: string): Promise<string> => readFile(new URL(path, PACKAGE_ROOT), "utf8");

it.each([
  ["README.md", "bench"],
  ["bench/LOG.md", "bench"],
  ["docs/speed.md", "bench"],
  ["docs/speed.md", "base"],
] as const)("%s has a place for them, %s", async (path, name) => {
  const paper = await read(path);
  const written = withSection(paper, name, "a section");
  expect(written).toContain(`<!--${name}-->\n\na section\n\n`);
  expect(withSection(written, name, "another")).toBe(withSection(paper, name, "another"));
});

it("the papers stay as short as they must be", async () => {
  const readme = withSection(await read("README.md"), "bench", readmeSection(RESULTS, DRAWINGS));
  expect(wordsOf(readme)).toBeLessThanOrEqual(MOST_WORDS["README.md"]);
  const speed = withSection(await read("docs/speed.md"), "bench", speedSection(RESULTS, speedDrawings(RESULTS)));
  expect(wordsOf(withSection(speed, "base", baseSection(BASE)))).toBeLessThanOrEqual(MOST_WORDS["docs/speed.md"]);
});

it("a paper without a place, and a run that is not whole, are refused", () => {
  expect(() => withSection("no comments", "bench", "a section")).toThrow("<!--bench-->");
  expect(() => {
    checkWhole({ ...RESULTS, extent: "quick" });
  }).toThrow("whole run");
  expect(() => {
    checkWhole({ ...RESULTS, callers: undefined });
  }).toThrow("whole run");
  expect(() => {
    checkWhole({ ...RESULTS, base: { ...BASE, starts: { ...BASE.starts, peer: undefined } } });
  }).toThrow("with the peer");
  expect(() => {
    checkWhole(RESULTS);
    checkWhole({ ...RESULTS, base: BASE });
  }).not.toThrow();
});

it.each([
  [["--quick", "--full"], "cannot be used with"],
  [["--only", "nonsense"], "Allowed choices are"],
  [["--quick", "--write"], "whole run"],
  [["--sizes"], "unknown option"],
])("the command refuses %j before it measures", async (args, message) => {
  const { code, stderr } = await runScript("bench/speed.mjs", { args });
  expect(stderr).toContain(message);
  expect(code).not.toBe(0);
});
