import { describe, expect, it } from "vitest";
import { randomFrom } from "../../../../src/library/statistics/random.ts";
import {
  afterCheck,
  afterUnsure,
  audits,
  AUDIT_EVERY,
  dueAt,
  NO_EVIDENCE,
  standingOf,
  TRIAL,
  upperBound,
} from "../../../../src/service/node/upstream/switching.ts";
import type { Evidence, Verdict } from "../../../../src/service/node/upstream/switching.ts";

const RATE = 0.05;

/** Checks one answer after the other. @param marks "." for one that agrees, "x" for one that does not @returns the last verdict, and how many it took */
function after(start: Evidence, marks: string): { readonly verdict: Verdict; readonly took: number; readonly evidence: Evidence } {
  let evidence = start;
  for (const [i, mark] of Array.from(marks).entries()) {
    const judged = afterCheck(evidence, mark === ".", RATE);
    evidence = judged.evidence;
    if (judged.verdict !== "recheck" || i === marks.length - 1) return { verdict: judged.verdict, took: i + 1, evidence };
  }
  throw new Error("no marks");
}

describe("a question that was switched", () => {
  it("is checked again once an audit disagrees, and not before", () => {
    expect(afterCheck(NO_EVIDENCE, true, RATE).verdict).toBe("stays");
    const { verdict, evidence } = afterCheck(NO_EVIDENCE, false, RATE);
    expect({ verdict, recheck: evidence.recheck }).toEqual({ verdict: "recheck", recheck: "" });
  });

  it("goes back after three answers if all disagree: nothing that may follow could make up for it", () => {
    expect(after(TRIAL, "xxxx")).toMatchObject({ verdict: "back", took: 3 });
  });

  it("stays after 22 answers with one that disagrees, and is asked for 45 with two", () => {
    expect(after(TRIAL, "x" + ".".repeat(30))).toMatchObject({
      verdict: "stays",
      took: 22,
      evidence: { checks: `x${".".repeat(21)}`, unsure: "" },
    });
    expect(after(TRIAL, "xx" + ".".repeat(60))).toMatchObject({ verdict: "stays", took: 45 });
    expect(after(TRIAL, `xx${".".repeat(20)}xxx`)).toMatchObject({ verdict: "back", took: 25 });
  });

  it("goes back by all its checks together, where none of them alone would do", () => {
    const before = `${".".repeat(60)}${"x.".repeat(9)}`;
    expect(after({ checks: before, recheck: "", unsure: "" }, "x" + ".".repeat(30))).toMatchObject({ verdict: "back", took: 22 });
  });

  it("seldom goes back at 3% of noise, and nearly always at 30%", () => {
    const random = randomFrom(1);
    const share = (rate: number): number => {
      const backs = Array.from(
        { length: 2000 },
        () => after(TRIAL, Array.from({ length: 60 }, () => (random() < rate ? "x" : ".")).join("")).verdict,
      );
      return backs.filter((verdict) => verdict === "back").length / backs.length;
    };
    expect(share(0.03)).toBeLessThan(0.06);
    expect(share(0.3)).toBeGreaterThan(0.95);
  });
});

describe("unsure answers", () => {
  const unsure = (marks: string, bound: number, start = NO_EVIDENCE): { verdict: Verdict; evidence: Evidence; took: number } => {
    let judged = { verdict: "stays" as Verdict, evidence: start };
    let took = 0;
    for (const mark of marks) {
      judged = afterUnsure(judged.evidence, mark === ".", bound);
      took++;
      if (judged.verdict !== "stays") break;
    }
    return { ...judged, took };
  };

  it("begin a re-check once they disagree more often than held-out ones", () => {
    expect(unsure("x".repeat(20), 0.4)).toMatchObject({ verdict: "recheck", took: 10 });
    expect(unsure("x.x..x.x..x.x..x.x..", 0.5).verdict).toBe("stays");
    expect(unsure("x".repeat(20), 1).verdict).toBe("stays");
  });

  it("do not begin one again for what the last one passed", () => {
    const { evidence } = unsure("x".repeat(20), 0.4);
    const passed = after(evidence, ".".repeat(30));
    expect(passed.verdict).toBe("stays");
    expect(unsure("x".repeat(20), 0.4, passed.evidence).verdict).toBe("stays");
  });
});

describe("audits", () => {
  it("are one of each 50 answers, so that two are at most 99 apart, at places chosen by chance", () => {
    const isAudit = audits(randomFrom(2));
    const places = Array.from({ length: 100 * AUDIT_EVERY }, isAudit).flatMap((is, i) => (is ? [i] : []));
    expect(places.map((place) => Math.floor(place / AUDIT_EVERY))).toEqual(Array.from({ length: 100 }, (_, block) => block));
    expect(new Set(places.map((place) => place % AUDIT_EVERY)).size).toBeGreaterThan(30);
  });
});

describe("what a lesson allows", () => {
  it("is the share from the lowest probability that keeps the rate, with the bound of those", () => {
    const risk = [
      { probability: 0.9, answers: 100, errors: 0 },
      { probability: 0.8, answers: 200, errors: 4 },
      { probability: 0.5, answers: 400, errors: 60 },
    ];
    const { threshold, share, bound, unsureBound } = standingOf(risk, RATE);
    expect({ threshold, share }).toEqual({ threshold: 0.8, share: 0.5 });
    // Clopper and Pearson: qbeta(.9, 5, 196), and qbeta(.9, 57, 144).
    expect(bound).toBeCloseTo(0.0395, 3);
    expect(unsureBound).toBeCloseTo(0.324, 2);
    expect(bound).toBeLessThanOrEqual(RATE);
  });

  it("is nothing without held-out answers", () => {
    expect(standingOf([], RATE)).toEqual({ threshold: undefined, share: 0, bound: undefined, unsureBound: 1 });
    expect(upperBound(0, 45)).toBeCloseTo(0.0499, 3);
  });
});

it("is taught after 30 observations, and each time there are half as many again", () => {
  const due = [dueAt(0)];
  while ((due.at(-1) ?? 0) < 400) due.push(dueAt(due.at(-1) ?? 0));
  expect(due).toEqual([30, 45, 68, 102, 153, 230, 345, 518]);
});
