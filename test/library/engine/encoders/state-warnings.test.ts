import { expect, it } from "vitest";
import { stateWarnings } from "../../../../src/library/engine/encoders/state-warnings.ts";

const UNKNOWN = 3;

it("a text of which a third or more is unknown is unread", () => {
  expect(stateWarnings("text", [UNKNOWN], UNKNOWN)).toEqual(["unread_text"]);
  expect(stateWarnings("text", [7, UNKNOWN, 8], UNKNOWN)).toEqual(["unread_text"]);
  expect(stateWarnings("text", [7, UNKNOWN, 8, 9], UNKNOWN)).toEqual([]);
});

it("nothing is unknown where the vocabulary can spell everything", () => {
  expect(stateWarnings("text", [7, 8], undefined)).toEqual([]);
});

it("a text without tokens is empty, and so is white space that has some", () => {
  expect(stateWarnings("", [], UNKNOWN)).toEqual(["empty_state"]);
  expect(stateWarnings(" \n\t", [7, 8], undefined)).toEqual(["empty_state"]);
});
