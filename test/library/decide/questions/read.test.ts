import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBatch } from "../../../../src/library/decide/decide.ts";
import { parseRequest } from "../../../../src/library/decide/request.ts";
import { validRequest } from "../../../support/random-requests.ts";

const batchOf = (question: unknown, state: unknown = "s"): ReturnType<typeof toBatch> =>
  toBatch(parseRequest({ state, questions: { q: question } }));
const optionsOf = (question: unknown): { text: string; sent: readonly string[]; answer: string | null }[] =>
  (batchOf(question).questions[0]?.options ?? []).map(({ text, sent, answer }) => ({ text, sent, answer }));
const choiceOf = (criteria: unknown): ReturnType<typeof optionsOf> => optionsOf({ type: "choice", instructions: "i", criteria });

describe("an option of a choice", () => {
  const other = { "the other": null };

  it.each<[string, unknown, string, string[]]>([
    ["billing", null, "billing", ["billing"]],
    ["billing", "", "billing", ["billing"]],
    ["billing", {}, "billing", ["billing"]],
    ["billing", [], "billing", ["billing"]],
    ["credit_card_lost", null, "credit card lost", ["credit_card_lost"]],
    ["_", null, " ", ["_"]],
    ["billing", "money questions", "billing: money questions", ["billing", "money questions"]],
    ["credit_card", "a card_is lost", "credit card: a card_is lost", ["credit_card", "a card_is lost"]],
    ["billing", { about: "money" }, "billing: about: money", ["billing", "about: money"]],
    ["billing", ["a", "b"], "billing: - a\n- b", ["billing", "- a\n- b"]],
    // Keys that say nothing.
    ["A", "money", "money", ["money"]],
    ["AB", "money", "money", ["money"]],
    ["😀😀", "money", "money", ["money"]],
    ["opt_12", "money", "money", ["money"]],
    ["option_12", "money", "money", ["money"]],
    ["class_٣", "money", "money", ["money"]],
    ["3", "money", "money", ["money"]],
    // Keys that say something, if only just.
    ["ABC", "money", "ABC: money", ["ABC", "money"]],
    ["options_12", "money", "options 12: money", ["options_12", "money"]],
    ["half_½", "money", "half ½: money", ["half_½", "money"]],
    ["part_Ⅳ", "money", "part Ⅳ: money", ["part_Ⅳ", "money"]],
    // Without a description even a key that says nothing is all there is.
    ["A", null, "A", ["A"]],
    ["opt_12", "", "opt 12", ["opt_12"]],
    // Nothing of String.prototype.replace's patterns.
    ["$&_$`", "$$", "$& $`: $$", ["$&_$`", "$$"]],
    ["__proto__", null, "  proto  ", ["__proto__"]],
    ["constructor", "toString", "constructor: toString", ["constructor", "toString"]],
  ])("with key %j and description %j is read as %j", (key, description, text, sent) => {
    const criteria = Object.fromEntries([[key, description], ...Object.entries(other)]);
    expect(choiceOf(criteria)).toContainEqual({ text, sent, answer: key });
  });
});

describe("a noul", () => {
  it.each<[unknown, [string, string[]], [string, string[]]]>([
    [undefined, ["yes", []], ["no", []]],
    [null, ["yes", []], ["no", []]],
    [{ true: "it is late" }, ["yes: it is late", ["it is late"]], ["no", []]],
    [{ false: "it is early" }, ["yes", []], ["no: it is early", ["it is early"]]],
    [{ false: ["a"], true: { b: 1 } }, ["yes: b: 1", ["b: 1"]], ["no: - a", ["- a"]]],
    [{ true: "", false: null }, ["yes", []], ["no", []]],
  ])("with criteria %j is read as yes and no, in that order", (criteria, yes, no) => {
    expect(optionsOf({ type: "noul", instructions: "i", criteria })).toEqual([
      { text: yes[0], sent: yes[1], answer: null },
      { text: no[0], sent: no[1], answer: null },
    ]);
  });

  it("without instructions has none to read", () => {
    expect(batchOf({ type: "noul", criteria: { true: "x" } }).questions[0]?.instructions).toBe("");
    expect(batchOf({ type: "noul", instructions: null, criteria: { true: "x" } }).questions[0]?.instructions).toBe("");
  });
});

describe("a score", () => {
  it("is read level by level; an empty one by its number", () => {
    expect(optionsOf({ type: "score", instructions: "i", criteria: ["calm", "", { very: "angry" }] })).toEqual([
      { text: "calm", sent: ["calm"], answer: null },
      { text: "1", sent: [], answer: null },
      { text: "very: angry", sent: ["very: angry"], answer: null },
    ]);
  });
});

describe("what is read of a request", () => {
  it("is its state, and of each question, in order, its instructions and one text a criterion", () => {
    const batch = toBatch(
      parseRequest({
        state: ["a", "b"],
        questions: {
          second: { type: "noul", instructions: { ask: "late?" } },
          first: { type: "score", instructions: "how?", criteria: ["x", "y", "z"] },
        },
      }),
    );
    expect(batch.state).toBe("- a\n- b");
    expect(batch.questions.map(({ instructions, options }) => [instructions, options.length])).toEqual([
      ["ask: late?", 2],
      ["how?", 3],
    ]);
  });

  it("never holds the id", () => {
    fc.assert(
      fc.property(validRequest, (request) => {
        const ids = Object.keys(request.questions);
        const renamed = { ...request, questions: Object.fromEntries(ids.map((id, i) => [`Q${i} zqzqzq`, request.questions[id]])) };
        expect(toBatch(parseRequest(renamed))).toEqual(toBatch(parseRequest(request)));
      }),
    );
  });
});
