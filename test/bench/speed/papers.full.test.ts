import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { runScript } from "../../support/child-program.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { load } from "./modules.ts";
import type { Estimate, Figures } from "./modules.ts";

const { speedDrawings } = await load("drawings");
const { checkWhole, readmeSection, readmeTable, speedSection, withSection } = await load("papers");
const { planOf, keyOf } = await load("grid");

const figures = (medianMs: number): Figures => ({ medianMs, p95Ms: medianMs * 1.2, lowMs: medianMs, highMs: medianMs, calls: 8 });
const estimate = (value: number): Estimate => ({ value, low: value * 0.9, high: value * 1.1 });
const PEER = "transformers.js fp32";

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
      notes: size.tokens === 512 ? [`${PEER}: it cuts`] : [],
      contenders: { umpire: measured(1), ...(isLong ? {} : { [PEER]: measured(17) }), floor: measured(0.5) },
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
  cells: RESULTS.cells.slice(0, 1).map((cell) => ({ ...cell, notes: [`${PEER}: it is large`] })),
  starts: { ...RESULTS.starts, umpire: { ms: estimate(840), rssMb: 410 } },
};

it("a figure for each axis has a line for each contender that can read such requests", () => {
  const drawings = speedDrawings(RESULTS);
  expect(drawings.map(({ name }) => name)).toEqual(["speed-options", "speed-tokens", "speed-questions"]);
  for (const { svg } of drawings) {
    expect(svg.match(/<path class="line line-/g)).toHaveLength(2 * 3);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
  const [, byTokens] = drawings;
  // The peer reads three of the five states.
  expect(byTokens?.svg.match(/class="dot-1"/g)).toHaveLength(3);
  expect(byTokens?.svg).toContain(">8,192<");
});

it("the papers get every table, and figures only where there are some", () => {
  const section = speedSection(RESULTS, [{ name: "speed-options", title: "Time by options" }]);
  for (const part of [
    "17.0 x",
    "reached",
    "cannot",
    "![Time by options](speed-options.svg)",
    "GMAC/s",
    "\\* transformers.js fp32: it cuts",
  ])
    expect(section).toContain(part);
  expect(section).not.toMatch(/NaN|undefined|Infinity/);
  expect(readmeTable(RESULTS)[1]).toEqual(["request 10/144/1", "10.0 ms", "170 ms", "17.0"]);
  expect(readmeTable(RESULTS).flat()).toContain("170 ms, without its labels: it cuts at 512");
});

it("the base model has a part of its own, and nothing is said of it where its pack is not there", () => {
  const section = speedSection({ ...RESULTS, base: BASE }, []);
  const [quick = "", base = ""] = section.split("### umpire-3-base");
  for (const part of ["request 10/144/1", "17.0 x", "\\* transformers.js fp32: it is large", "840 ms", "410 MB"])
    expect(base).toContain(part);
  expect(quick).toContain("250 ms");
  expect(section).not.toMatch(/NaN|undefined|Infinity/);
  expect(speedSection(RESULTS, [])).not.toContain("### umpire-3-base");
});

it.each(["README.md", "docs/speed.md"])("%s has a place for them", async (path) => {
  const paper = await readFile(new URL(path, PACKAGE_ROOT), "utf8");
  const written = withSection(paper, "a section");
  expect(written).toContain("\n\na section\n\n");
  expect(withSection(written, "another")).toBe(withSection(paper, "another"));
});

it("the README stays as short as it must be", async () => {
  const written = withSection(
    await readFile(new URL("README.md", PACKAGE_ROOT), "utf8"),
    readmeSection(RESULTS, [{ name: "speed-options" }]),
  );
  expect(written.split(/\s+/u).filter((word) => word !== "").length).toBeLessThanOrEqual(900);
});

it("a paper without a place, and a run that is not whole, are refused", () => {
  expect(() => withSection("no comments", "a section")).toThrow("<!--bench-->");
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
