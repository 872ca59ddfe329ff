import { describe, expect, it } from "vitest";
import type { Issue } from "../../../src/errors.ts";
import { listedIssues } from "../../../src/service/handler/listed-issues.ts";

const issueOf = (id: string, msg = "is missing"): Issue => ({ loc: ["body", "questions", id], msg, type: "missing" });

describe("listed issues", () => {
  it("are all issues, if they are short", () => {
    const issues = Array.from({ length: 1000 }, (_, i) => issueOf(`q${i}`));
    expect(listedIssues(issues)).toEqual(issues);
    expect(listedIssues([])).toEqual([]);
  });

  it("are the first ones that fit into 64 kB, counting places and messages", () => {
    // 1,000 characters each: 65 of them fit.
    const issues = Array.from({ length: 100 }, () => issueOf("q".repeat(500 - 13), "m".repeat(500)));
    expect(listedIssues(issues)).toEqual(issues.slice(0, 65));
  });

  it("contain at least the first issue, however long", () => {
    const issues = [issueOf("q".repeat(100_000)), issueOf("q")];
    expect(listedIssues(issues)).toEqual(issues.slice(0, 1));
  });
});
