import type { DecisionCreateParams } from "openai/resources/decisions";
import { describe, expect, it } from "vitest";
import { parseRequest } from "../../../src/library/decide/request.ts";
import { Field } from "../../../src/library/validation/field.ts";
import { readOpenAiRequest } from "../../../src/service/wires/openai-decisions.ts";
import { decideError } from "../../support/rejection.ts";

type Input = DecisionCreateParams["input"];
type Question = DecisionCreateParams["questions"][number];

const PREDICATE = { type: "predicate", instructions: "Is the customer angry?" } as const;
const body = (changes: object): object => ({ model: "latest", input: "The parcel is late.", questions: [PREDICATE], ...changes });
const read = (changes: object): ReturnType<typeof readOpenAiRequest> => readOpenAiRequest(new Field(body(changes), ["body"]));

/** What the model reads of an input. */
const stateOf = (input: Input): string => parseRequest(read({ input }).value).state;
const questionOf = (question: Question): unknown => (read({ questions: [question] }).value as { questions: object[] }).questions[0];

/** Places and kinds of what is wrong, and the message. */
const refused = async (changes: object): Promise<[string, ...unknown[]]> => {
  const { message, issues = [] } = await decideError(() => read(changes));
  return [message, ...issues.map(({ loc, type }) => [loc.slice(1).join("."), type])];
};

describe("an input", () => {
  it("that is a text, or one user's message, is the state as it is", () => {
    expect(stateOf("The parcel is late.")).toBe("The parcel is late.");
    expect(stateOf([{ role: "user", content: "The parcel is late." }])).toBe("The parcel is late.");
    expect(
      stateOf([
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "a" },
            { type: "input_text", text: "b" },
          ],
        },
      ]),
    ).toBe("a\nb");
    expect(stateOf([{ role: "user", content: [{ type: "input_json", data: { order: 12, paid: true } }] }])).toBe("order: 12\npaid: true");
  });

  it("of several turns says who spoke, which tool was called, and what it gave", () => {
    const input: Input = [
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "Where is it?" },
          { type: "input_json", data: [{ order: 12 }] },
        ],
      },
      { type: "function_call", call_id: "1", name: "track", namespace: "shop", arguments: '{"order":12}' },
      { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "in Ghent" }] },
      { type: "custom_tool_call", call_id: "2", name: "note", input: "late" },
      { type: "custom_tool_call_output", call_id: "2", output: "noted" },
      {
        role: "assistant",
        phase: "final_answer",
        content: [
          { type: "output_text", text: "In Ghent." },
          { type: "refusal", refusal: "No more." },
        ],
      },
    ];
    const value = (read({ input }).value as { state: unknown }).state;
    expect(value).toEqual([
      { developer: "Be brief." },
      { user: ["Where is it?", [{ order: 12 }]] },
      { "call of shop.track": '{"order":12}' },
      { "output of shop.track": "in Ghent" },
      { "call of note": "late" },
      { "output of note": "noted" },
      { assistant: "In Ghent.\nNo more." },
    ]);
    expect(stateOf(input)).toContain("output of note: noted");
  });

  it.each<[string, unknown, string, string]>([
    [
      "an image",
      [{ role: "user", content: [{ type: "input_image", image_url: "https://x.test/a.png" }] }],
      "input.0.content.0.type",
      "leave the image out",
    ],
    ["a file", [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }], "input.0.content.0.type", "leave the file out"],
    [
      "an image that a tool gave",
      [call("1"), { type: "function_call_output", call_id: "1", output: [{ type: "input_image", image_url: "x" }] }],
      "input.1.output.0.type",
      "image",
    ],
    ["data of a developer", [{ role: "developer", content: [{ type: "input_json", data: {} }] }], "input.0.content.0.type", '"input_text"'],
    [
      "an output without its call",
      [{ type: "function_call_output", call_id: "9", output: "x" }],
      "input.0.call_id",
      "names no call before it",
    ],
    ["a role that there is not", [{ role: "tool", content: "x" }], "input.0.role", '"user"'],
    ["an item that there is not", [{ type: "reasoning" }], "input.0.type", '"function_call"'],
    ["no item at all", [], "input", "at least one"],
    ["nothing", undefined, "input", "is missing"],
    ["a part without text", [{ role: "user", content: [{ type: "input_text" }] }], "input.0.content.0.text", "must be a string"],
    [
      "data that is none",
      [{ role: "user", content: [{ type: "input_json", data: 3 }] }],
      "input.0.content.0.data",
      "an object or an array",
    ],
  ])("with %s is refused by its place", async (_, input, place, words) => {
    const [message, first] = await refused({ input });
    expect(message).toContain(words);
    expect(first).toEqual([place, expect.any(String)]);
  });
});

function call(id: string): object {
  return { type: "function_call", call_id: id, name: "f", arguments: "{}" };
}

describe("questions", () => {
  it("become questions of ours, which a lesson knows again", () => {
    expect(questionOf(PREDICATE)).toEqual({ type: "noul", instructions: "Is the customer angry?" });
    expect(
      questionOf({
        type: "choice",
        instructions: "Which team?",
        choices: [{ value: "billing", description: "invoices" }, { value: "sales" }],
      }),
    ).toEqual({
      type: "choice",
      instructions: "Which team?",
      criteria: { billing: "invoices", sales: null },
    });
    expect(
      questionOf({ type: "score", instructions: "How urgent?", levels: [{ label: "low" }, { label: "high", description: "today" }] }),
    ).toEqual({
      type: "score",
      instructions: "How urgent?",
      criteria: ["low", { high: "today" }],
    });
    expect(
      questionOf({
        ...PREDICATE,
        instructions: [
          { type: "input_text", text: "Is it" },
          { type: "input_text", text: "late?" },
        ],
      }),
    ).toMatchObject({ instructions: "Is it\nlate?" });
  });

  it("may offer a boolean and a string of the same text, in any order", () => {
    const values = ["true", true, "10", "9", "__proto__", false];
    const { toReply } = read({
      questions: [{ type: "choice", name: "it", instructions: "Which?", choices: values.map((value) => ({ value })) }],
    });
    const keys = ["true", "true ", "10", "9", "__proto__", "false"];
    const probabilities = Object.fromEntries(keys.map((key, i) => [key, i / 15]));
    const answer = { type: "choice", choice: "true ", confidence: 0.5, probabilities, x_accuracy: 0.8 };
    expect(
      toReply({ model: "m", answers: { 0: answer }, usage: { input_tokens: 7, output_tokens: 1, x_cached_tokens: 4 } } as never),
    ).toEqual({
      model: "m",
      answers: [
        {
          type: "choice",
          name: "it",
          choice: true,
          confidence: 0.5,
          x_accuracy: 0.8,
          probabilities: values.map((value, i) => ({ value, probability: i / 15 })),
        },
      ],
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 8,
      },
    });
  });

  it.each<[string, unknown, string, string]>([
    ["no array", {}, "questions", "must be an array"],
    ["none", [], "questions", "at least one"],
    ["more than 400", Array.from({ length: 401 }, () => PREDICATE), "questions", "at most 400"],
    ["of a type that we lack", [{ type: "box", instructions: "Where?" }], "questions.0.type", 'is "box"'],
    ["without a type", [{ instructions: "Where?" }], "questions.0.type", "is missing"],
    ["of our own type", [{ type: "noul", instructions: "Late?" }], "questions.0.type", '"predicate"'],
    ["without instructions", [{ type: "predicate" }], "questions.0.instructions", "is missing"],
    ["with a name that is no string", [{ ...PREDICATE, name: 3 }], "questions.0.name", "must be a string"],
    ["with one choice", [choice("a")], "questions.0.choices", "at least 2"],
    ["with 256 choices", [choice(...Array.from({ length: 256 }, (_, i) => `c${i}`))], "questions.0.choices", "at most 255"],
    ["with a choice twice", [choice("a", "b", "a")], "questions.0.choices.2.value", "an earlier choice"],
    ["with a choice of a number", [choice("a", 3)], "questions.0.choices.1.value", "a boolean, or a string"],
    ["with an empty choice", [choice("a", "")], "questions.0.choices.1.value", "a boolean, or a string"],
    [
      "with a level without a label",
      [{ type: "score", instructions: "How?", levels: [{ label: "a" }, {}] }],
      "questions.0.levels.1.label",
      "must be a string",
    ],
    ["with one level", [{ type: "score", instructions: "How?", levels: [{ label: "a" }] }], "questions.0.levels", "at least 2"],
    [
      "with an image in a question",
      [{ ...PREDICATE, instructions: [{ type: "input_image", image_url: "x" }] }],
      "questions.0.instructions.0.type",
      "leave the image out",
    ],
  ])("%s are refused by their place", async (_, questions, place, words) => {
    const [message, first] = await refused({ questions });
    expect(message).toContain(words);
    expect(first).toEqual([place, expect.any(String)]);
  });

  it("are all told of at once, with what else is wrong", async () => {
    const [message, ...issues] = await refused({ model: "", input: 3, questions: [{ type: "box" }, { type: "predicate" }] });
    expect(issues.map((issue) => (issue as unknown[])[0])).toEqual(["input", "questions.0.type", "questions.1.instructions", "model"]);
    expect(message).toContain("the first of 4 issues");
  });
});

function choice(...values: unknown[]): object {
  return { type: "choice", instructions: "Which?", choices: values.map((value) => ({ value })) };
}

it("says where an issue of the library is in the caller's own body", () => {
  const { toCallersLoc } = read({
    questions: [
      PREDICATE,
      choice("b", "a"),
      { type: "score", instructions: "How?", levels: [{ label: "l" }, { label: "h", description: "d" }] },
    ],
  });
  expect(toCallersLoc(["body", "state", 0, "user"])).toEqual(["body", "input"]);
  expect(toCallersLoc(["body", "questions", "1", "criteria", "a"])).toEqual(["body", "questions", 1, "choices", 1]);
  expect(toCallersLoc(["body", "questions", "1", "criteria"])).toEqual(["body", "questions", 1, "choices"]);
  expect(toCallersLoc(["body", "questions", "2", "criteria", 1, "h"])).toEqual(["body", "questions", 2, "levels", 1, "h"]);
  expect(toCallersLoc(["body", "questions", "0", "instructions"])).toEqual(["body", "questions", 0, "instructions"]);
  expect(toCallersLoc(["body", "questions"])).toEqual(["body", "questions"]);
  expect(toCallersLoc(["body", "model"])).toEqual(["body", "model"]);
  expect(toCallersLoc(["body"])).toEqual(["body"]);
});
