import { describe, expect, it } from "vitest";
import { compare, showComparison } from "../../../src/tools/eval/compare.ts";
import type { Comparison } from "../../../src/tools/eval/compare.ts";
import { reportOf } from "../../../src/tools/eval/report.ts";
import type { Asked } from "../../../src/tools/eval/report.ts";
import { plain } from "../../../src/tools/cli/output/screen.ts";

/** Yes/no answers to rows of which every fourth is a yes. @param isRight by the row's index */
const answers = (rows: number, isRight: (row: number) => boolean): Asked[] =>
  Array.from({ length: rows }, (_, row) => {
    const truth = row % 4 === 0 ? "yes" : "no";
    const said = isRight(row) ? truth : truth === "yes" ? "no" : "yes";
    const probability = 0.8;
    const truthProbability = isRight(row) ? probability : 1 - probability;
    const fields = { line: row + 1, question: "1", type: "noul" as const, options: ["yes", "no"], confidence: 0.6 };
    return { ...fields, truth, said, isRight: said === truth, probability, truthProbability, act: row % 2 === 0 };
  });

describe("wordings are compared", () => {
  it("by the same rows: one that is right in 30 of 100 more is better by more than chance, one that is right in 2 more is not", () => {
    const wordings = [answers(100, (row) => row % 10 < 6), answers(100, (row) => row % 10 < 9), answers(100, (row) => row < 92)];
    const { best, differences, by, resamples } = compare(wordings, "accuracy");
    expect({ best, by, resamples }).toEqual({ best: 3, by: "accuracy", resamples: 2000 });
    expect(differences.map(({ better, worse, isMoreThanChance }) => [better, worse, isMoreThanChance])).toEqual([
      [3, 1, true],
      [3, 2, false],
      [2, 1, true],
    ]);
    const [, small, large] = differences;
    expect(large?.difference).toBeCloseTo(0.3, 12);
    expect(large?.p).toBeLessThan(0.001);
    expect(small?.low).toBeLessThan(0);
    expect(small?.high).toBeGreaterThan(0.02);
    // Two wordings that differ in the same rows are told apart by fewer of them than two that are right in any.
    expect((large?.high ?? 0) - (large?.low ?? 0)).toBeLessThan((differences[0]?.high ?? 0) - (differences[0]?.low ?? 0));
  });

  it("in the same way every time", () => {
    const wordings = [answers(50, (row) => row % 3 > 0), answers(50, (row) => row % 5 > 0)];
    expect(compare(wordings, "accuracy")).toEqual(compare(wordings, "accuracy"));
  });

  it("to the first of those that are equally good, which differ by nothing", () => {
    const same = answers(40, (row) => row % 3 > 0);
    const { best, differences } = compare([same, same], "accuracy");
    expect(best).toBe(1);
    expect(differences).toEqual([{ better: 1, worse: 2, difference: 0, low: 0, high: 0, p: 1, isMoreThanChance: false }]);
  });

  it("by macro-F1, which another may win: always no is right in 3 of 4, and finds no yes", () => {
    const [never, often] = [answers(100, (row) => row % 4 !== 0), answers(100, (row) => row % 4 === 0 || row % 3 > 0)];
    expect(compare([never, often], "accuracy").best).toBe(1);
    const { best, differences } = compare([never, often], "macro-f1");
    expect(best).toBe(2);
    // Always no: F1 of no 150/175, of yes 0. The other: 75 no, of which 50 are found, and 25 yes, all found beside 25 that are none.
    expect(differences[0]?.difference).toBeCloseTo((100 / 125 + 50 / 75) / 2 - 150 / 175 / 2, 12);
    expect(differences[0]?.isMoreThanChance).toBe(true);
  });

  it("and nothing is more than chance with fewer than 20 rows", () => {
    const of = (rows: number): Comparison => compare([answers(rows, () => false), answers(rows, () => true)], "accuracy");
    expect([of(19), of(20)].map(({ differences }) => differences[0]?.isMoreThanChance)).toEqual([false, true]);
  });

  it("and the more there are, the more is asked of a difference, because the best of many is often the luckiest", () => {
    const [a, b, c] = [
      answers(60, (row) => row % 10 < 6),
      answers(60, (row) => row % 10 < 6 || row % 7 === 0),
      answers(60, (row) => row % 3 > 0),
    ];
    const alone = compare([a, b], "accuracy").differences[0];
    const among = compare([a, b, c], "accuracy").differences.find(({ better, worse }) => better === 2 && worse === 1);
    expect(among?.difference).toBe(alone?.difference);
    expect(among?.p).toBeGreaterThan(alone?.p ?? 1);
    expect(among?.high).toBeGreaterThan(alone?.high ?? 1);
  });
});

describe("a person sees", () => {
  const shown = (isRight: ((row: number) => boolean)[], rows = 100): string => {
    const wordings = isRight.map((right) => answers(rows, right));
    const reports = wordings.map((asked) => reportOf(asked, 0.6));
    const comparison = compare(wordings, "accuracy");
    const names = ["Is this spam?", "Is this advertising\nor a scam?", "Is it for sale?"].slice(0, isRight.length);
    return showComparison({ wordings: names, reports, comparison, maxErrorRate: 0.1 }, { width: 80, paint: plain });
  };

  it("a line of figures for each wording, the wordings, and what is more than chance", () => {
    const lines = shown([(row) => row % 10 < 6, (row) => row % 10 < 9, (row) => row % 10 < 2]).split("\n");
    expect(lines[0]).toMatch(/^ +accuracy +macro-F1 +ECE +act@0\.1 +act-errors$/u);
    expect(lines[1]).toMatch(/^1 +0\.600 +0\.\d{3} +0\.\d{3} +50\.0% +\d+\.0%$/u);
    expect(lines[2]).toMatch(/^2 \* +0\.900 /u);
    expect(lines.slice(5, 8)).toEqual(["1   Is this spam?", "2   Is this advertising or a scam?", "3   Is it for sale?"]);
    expect(lines[9]).toMatch(/^Best by accuracy: 2\. It is better than 1 by 0\.300 \(0\.\d{3} to 0\.\d{3}, p < 0\.001\),$/u);
    expect(lines.join(" ")).toContain("which is more than chance. 2 is better than 3 by 0.700");
    expect(lines.join(" ")).toContain("(Paired bootstrap: 2000 resamples of the rows, corrected for all pairs.)");
  });

  it("that the best may be so by chance, or is the first", () => {
    expect(shown([(row) => row % 10 < 6, (row) => row % 10 < 6 || row === 7])).toMatch(
      /Best by accuracy: 2\. [^]*,\s+which\s+may be chance\.\n.*corrected for all pairs\.\)\n$/u,
    );
    expect(shown([(row) => row % 10 < 6, (row) => row % 10 < 5])).toContain(
      "\nBest by accuracy: 1, the first.\n1 is better than 2 by 0.100 (",
    );
    expect(shown([() => false, () => true], 12)).toMatch(/may\s+be\s+chance\.\s+Fewer\s+than\s+20\s+rows\s+show\s+nothing\./u);
  });
});
