import { describe, expect, it } from "vitest";
import { counted, elementAt, present } from "../../../src/library/validation/expect.ts";

describe("what our own parts owe each other", () => {
  it("is given as it is where it is there", () => {
    const list = ["a", "b"];
    expect(elementAt(list, 1, "letter")).toBe("b");
    expect(elementAt(Float32Array.of(0), 0, "score")).toBe(0);
    expect(counted(list, 2, "letters")).toBe(list);
    expect(present(0, "number")).toBe(0);
  });

  const broken: [string, () => unknown, string][] = [
    ["an element beyond the end", () => elementAt(["a"], 1, "letter"), "There is no letter 1 of 1."],
    ["too few", () => counted(["a"], 2, "letters"), "There are 1 letters where 2 are expected."],
    ["too many", () => counted(["a", "b"], 1, "letters"), "There are 2 letters where 1 are expected."],
    ["nothing", () => present<number>(undefined, "number"), "There is no number."],
  ];

  it.each(broken)("is an internal error where it is not: %s", (_, call, message) => {
    expect(call).toThrow(
      expect.objectContaining({ code: "internal", message: `${message} This is a bug in umpire; please report it.` }) as Error,
    );
  });
});
