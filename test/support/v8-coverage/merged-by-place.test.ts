import { describe, expect, it } from "vitest";
import { mergedByPlace, type CoverageMap, type FileFigures } from "./merged-by-place.ts";

const range = (line: number, endColumn: number): FileFigures["statementMap"][string] => ({
  start: { line, column: 2 },
  end: { line, column: endColumn },
});

const empty: FileFigures = { statementMap: {}, fnMap: {}, branchMap: {}, s: {}, f: {}, b: {} };

function coverageOf(data: Record<string, FileFigures>): CoverageMap {
  let files = Object.keys(data);
  return {
    files: () => files,
    fileCoverageFor: (file) => ({ data: data[file] ?? empty }),
    filter: (keeps) => {
      files = files.filter(keeps);
    },
  };
}

describe("figures of one file from two builds", () => {
  const figures: FileFigures = {
    statementMap: { 0: range(1, 10), 1: range(1, 11), 2: range(2, 10) },
    s: { 0: 3, 1: 0, 2: 0 },
    fnMap: { 0: { decl: range(1, 10) }, 1: { decl: range(1, 11) } },
    f: { 0: 1, 1: 2 },
    branchMap: {
      0: { type: "cond-expr", loc: range(1, 10), locations: [1, 2] },
      1: { type: "cond-expr", loc: range(1, 11), locations: [1, 2] },
      2: { type: "if", loc: range(1, 10), locations: [1, 2] },
    },
    b: { 0: [1, 0], 1: [0, 4], 2: [0, 0] },
  };
  const merged = mergedByPlace(coverageOf({ "a.ts": figures, "types.ts": empty }));

  it("count pieces of code with the same start once, and others apart", () => {
    const { s, f, b } = merged.fileCoverageFor("a.ts").data;
    expect([Object.values(s), Object.values(f), Object.values(b)]).toEqual([
      [3, 0],
      [3],
      [
        [1, 4],
        [0, 0],
      ],
    ]);
  });

  it("leave out files without statements", () => {
    expect(merged.files()).toEqual(["a.ts"]);
  });
});
