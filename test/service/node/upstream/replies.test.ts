import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Field } from "../../../../src/library/validation/field.ts";
import { parseRequest } from "../../../../src/library/decide/request.ts";
import { readReply, withQuestions } from "../../../../src/service/node/upstream/replies.ts";
import { readOpenAiRequest } from "../../../../src/service/wires/openai-decisions.ts";

const QUESTIONS = {
  team: { type: "choice", instructions: "Which?", criteria: { billing: "money", sales: null } },
  angry: { type: "noul", instructions: "Angry?" },
  level: { type: "score", instructions: "How bad?", criteria: ["low", "middle", "high"] },
} as const;
const SENT = parseRequest({ state: "x", questions: QUESTIONS }).questions.map((question, index) => ({ index, question }));
const GOOD = {
  team: { type: "choice", choice: "sales", confidence: 0.5, probabilities: { billing: 0.25, sales: 0.75 } },
  angry: { type: "noul", noul: 0.2 },
  level: { type: "score", score: 1.6, legend: {}, probabilities: { 0: 0.1, 1: 0.2, 2: 0.7 }, confidence: 0.6 },
};
const plain = (answers: unknown): unknown => {
  const read = readReply({ answers, usage: { input_tokens: 7, output_tokens: 3 } }, SENT, undefined);
  return typeof read === "string" ? read : read.answers.map((answer) => answer.plain);
};
const instead = (id: keyof typeof GOOD, change: object): object => ({ ...GOOD, [id]: { ...GOOD[id], ...change } });

describe("a reply of the hosted API", () => {
  it("says what each answer commits to", () => {
    expect(plain(GOOD)).toEqual(["sales", false, 2]);
    expect(readReply({ answers: GOOD, usage: { input_tokens: 7, output_tokens: 3 } }, SENT, undefined)).toMatchObject({
      inputTokens: 7,
      outputTokens: 3,
    });
  });

  it("may leave out figures that do not state the answer: a score without probabilities is the nearest level", () => {
    expect(plain({ team: { type: "choice", choice: "billing" }, angry: GOOD.angry, level: { type: "score", score: 1.4 } })).toEqual([
      "billing",
      false,
      1,
    ]);
    expect(readReply({ answers: GOOD }, SENT, undefined)).toMatchObject({ inputTokens: 0 });
  });

  it.each([
    ["no object", null],
    ["an array", [GOOD.team]],
    ["one too few", { team: GOOD.team, angry: GOOD.angry }],
    ["one too many", { ...GOOD, more: GOOD.angry }],
    ["another id", { team: GOOD.team, angry: GOOD.angry, levels: GOOD.level }],
    ["another type", instead("angry", { type: "choice" })],
    ["no choice", instead("team", { choice: null })],
    ["an unknown option", instead("team", { choice: "legal" })],
    ["a name that every object has", instead("team", { choice: "constructor" })],
    ["an unknown option's probability", instead("team", { probabilities: { billing: 0.2, legal: 0.8 } })],
    ["a probability too few", instead("team", { probabilities: { sales: 1 } })],
    ["a probability that is no number", instead("team", { probabilities: { billing: "0.2", sales: 0.8 } })],
    ["an infinite probability", instead("angry", { noul: JSON.parse("1e999") as number })],
    ["a probability above 1", instead("angry", { noul: 1.5 })],
    ["a score beyond the scale", instead("level", { score: 2.5 })],
    ["an infinite score", instead("level", { score: JSON.parse("-1e999") as number })],
    ["a confidence that is none", instead("level", { confidence: "high" })],
  ])("cannot be used with %s, and what is wrong is said without any of its text", (_, answers) => {
    const said = plain(answers);
    expect(said).toBeTypeOf("string");
    expect(said).not.toMatch(/legal|sales|billing|levels/u);
  });
});

describe("a reply in OpenAI's shape", () => {
  const body = {
    model: "m",
    input: "x",
    questions: [
      { type: "choice", name: "team", instructions: "Which?", choices: [{ value: "true" }, { value: true }] },
      { type: "predicate", name: "angry", instructions: "Angry?" },
      { type: "score", instructions: "How bad?", levels: [{ label: "low" }, { label: "high" }] },
    ],
  };
  const foreign = readOpenAiRequest(new Field(body, ["body"]));
  const sent = parseRequest(foreign.value).questions.map((question, index) => ({ index, question }));
  const team = {
    type: "choice",
    name: "team",
    choice: true,
    confidence: 1,
    probabilities: [
      { value: true, probability: 1 },
      { value: "true", probability: 0 },
    ],
  };
  const angry = { type: "predicate", name: "angry", probability: 0.9 };
  const level = {
    type: "score",
    name: null,
    score: 0.2,
    confidence: 0.8,
    probabilities: [
      { label: "low", value: 0, probability: 0.8 },
      { label: "high", value: 1, probability: 0.2 },
    ],
  };
  const read = (answers: unknown, of = sent): unknown => {
    const reply = readReply({ answers }, of, foreign);
    return typeof reply === "string" ? reply : reply.answers.map((answer) => answer.plain);
  };

  it("is read by index: a string and a boolean of the same text are two choices, and a refusal is no answer", () => {
    expect(read([team, angry, level])).toEqual(["true ", true, 0]);
    expect(read([{ ...team, choice: "true" }, { type: "refusal", name: "angry" }, level])).toEqual(["true", undefined, 0]);
    expect(read([level], sent.slice(2))).toEqual([0]);
  });

  it.each([
    ["in another order", [angry, team, level]],
    ["too few", [team, angry]],
    ["not in an array", { team, angry, level }],
    ["of an unknown choice", [{ ...team, choice: "yes" }, angry, level]],
    ["under another question's name", [team, { ...angry, name: "calm" }, level]],
  ])("cannot be used with answers %s", (_, answers) => {
    expect(read(answers)).toBeTypeOf("string");
  });
});

describe("a body with some of its questions alone", () => {
  it("keeps all else to the byte: digits, blanks, escapes and order", () => {
    const text =
      '{ "model" : "m","state":{"n": 12345678901234567890, "t":"a \\"q\\" \\\\"},\n "questions": {"a":{"type":"noul","instructions":"1.0e5"}, "b\\u0063": {"x":[1,{"y":"]}"}]} ,"d":3} , "more":-1.50}';
    expect(withQuestions(text, new Set(["a", "d"]))).toBe(
      '{"model" : "m","state":{"n": 12345678901234567890, "t":"a \\"q\\" \\\\"},"questions":{"a":{"type":"noul","instructions":"1.0e5"},"d":3},"more":-1.50}',
    );
    expect(withQuestions(text, new Set(["bc"]))).toContain('"questions":{"b\\u0063": {"x":[1,{"y":"]}"}]}}');
    expect(withQuestions('{"questions":[1 , {"a":[2]},"3"],"input":""}', new Set([0, 2]))).toBe('{"questions":[1,"3"],"input":""}');
    expect(withQuestions('{"x_max_error_rate":0.05,"questions":{"a":1}}', new Set(["a"]))).toBe('{"questions":{"a":1}}');
    expect(withQuestions('{"questions":{"b":1},"questions":{"a":1,"a":2}}', new Set(["a"]))).toBe('{"questions":{"a":2}}');
  });

  it("is the same JSON as one made anew, whatever the body", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const bodies = fc.record({ state: value, questions: fc.dictionary(fc.string(), value), more: value });
    fc.assert(
      fc.property(bodies, fc.nat(3), fc.constantFrom(undefined, 1, "\t"), (body, modulus, space) => {
        const kept = Object.keys(body.questions).filter((_, i) => i % (modulus + 1) === 0);
        const expected = { ...body, questions: Object.fromEntries(kept.map((key) => [key, body.questions[key]])) };
        expect(JSON.parse(withQuestions(JSON.stringify(body, null, space), new Set(kept)))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});
