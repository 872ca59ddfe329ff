import { describe, expect, it } from "vitest";
import type { Issue } from "../../../src/errors.ts";
import { listedIssues, requestIdOf } from "../../../src/service/handler/responses.ts";

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

const requestWith = (id?: string): Request => new Request("http://host/", id === undefined ? {} : { headers: { "x-request-id": id } });

describe("requestIdOf", () => {
  it.each(["7", "ticket 7/a", "~!", "x".repeat(128)])("keeps the caller's id %s", (id) => {
    expect(requestIdOf(requestWith(id))).toBe(id);
  });

  it.each([undefined, "", "x".repeat(129), "\u00fcmlaut", "tab\tinside"])("makes a new one instead of %s", (id) => {
    const [first, second] = [requestIdOf(requestWith(id)), requestIdOf(requestWith(id))];
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
    expect(second).not.toBe(first);
  });
});
