import { describe, expect, it } from "vitest";
import { ANSWER_KINDS, nameInFiles, sharesByName } from "../../../src/tools/rows/answers.ts";

describe("the names of an answer's options", () => {
  it("are yes and no for a yes/no question, in files and for people", () => {
    expect(sharesByName({ type: "noul", noul: 0.75 })).toEqual({ yes: 0.75, no: 0.25 });
    expect(["true", "false"].map((key) => nameInFiles("noul", key))).toEqual(["yes", "no"]);
    expect(ANSWER_KINDS.noul.options({ type: "noul", instructions: "Is it?" })).toEqual([
      ["true", "yes"],
      ["false", "no"],
    ]);
  });

  it("are the keys themselves of a choice, also of one named true", () => {
    const answer = { type: "choice", choice: "true", probabilities: { true: 0.6, other: 0.4 }, confidence: 0.2 } as const;
    expect(sharesByName(answer)).toEqual({ true: 0.6, other: 0.4 });
    expect(ANSWER_KINDS.choice.cell(answer)).toBe("true");
  });

  it("are numbers of levels in files, and their texts for people", () => {
    const question = { type: "score", instructions: "How much?", criteria: ["little\nor none", { a: 1 }] } as const;
    expect(ANSWER_KINDS.score.options(question)).toEqual([
      ["0", "0 little or none"],
      ["1", "1"],
    ]);
    expect(nameInFiles("score", "1")).toBe("1");
    const answer = { type: "score", score: 0.6, legend: { "0": "little", "1": { a: 1 } }, confidence: 0.2 } as const;
    const levelAt = (yes: number): unknown => ANSWER_KINDS.score.level?.({ ...answer, probabilities: { "0": 1 - yes, "1": yes } });
    expect([levelAt(0.4), levelAt(0.6)]).toEqual(["little", '{"a":1}']);
  });
});
