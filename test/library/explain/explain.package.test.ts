import { describe, expect, test } from "vitest";
import { explain } from "../../../src/library/explain/explain.ts";
import type { Explanation } from "../../../src/library/explain/explain.ts";
import type { Decide } from "../../../src/library/decide/decide.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { ASKED } from "../../support/texts.ts";

const TEAMS = { type: "choice", instructions: ASKED.team, criteria: { billing: null, technical: null, sales: null } };
const ANGRY = { type: "noul", instructions: ASKED.angry };
const UPSET = { type: "score", instructions: ASKED.upset, criteria: ["calm", "annoyed", "furious"] };
const MAIL =
  "Hello from Leeds. We have been customers since spring. I was charged twice this month and want the second payment back. The weather is fine here.";
const DECISIVE = "I was charged twice this month and want the second payment back. ";
const REQUEST = { state: MAIL, questions: { route: TEAMS, angry: ANGRY, upset: UPSET } };

const decider = sharedDecider;
const decide: Decide = (request, options) => decider.decide(request, options);
const textsOf = ({ text, passages }: Explanation): string[] => passages.map(({ start, end }) => text.slice(start, end));

/** What is asked of a decider while it explains. */
function recorded(before: (calls: number) => void = () => undefined): {
  decide: Decide;
  asked: Record<string, unknown>[];
  most: () => number;
} {
  const asked: Record<string, unknown>[] = [];
  let underWay = 0;
  let most = 0;
  const recording: Decide = async (request, options) => {
    asked.push({ ...request });
    most = Math.max(most, ++underWay);
    try {
      before(asked.length);
      return await decide(request, options);
    } finally {
      underWay--;
    }
  };
  return { decide: recording, asked, most: () => most };
}

describe("an explanation", () => {
  test("names the decisive sentence first, by how much it changes the log-odds", async () => {
    const explanation = await decider.explain(REQUEST as never, "route");
    const whole = await decider.decide(REQUEST as never);
    expect(explanation).toMatchObject({ key: "billing", text: MAIL, readings: 5 });
    expect(explanation.answer).toEqual(whole.answers["route"]);
    expect(textsOf(explanation)[0]).toBe(DECISIVE);
    const { billing = NaN, technical = NaN, sales = NaN } = probabilitiesOf(explanation.answer);
    expect(explanation.logOdds).toBeCloseTo(Math.log(billing / (technical + sales)), 12);
    const left = await decider.decide({ ...REQUEST, state: MAIL.replace(DECISIVE, "") } as never);
    const without = probabilitiesOf(left.answers["route"]);
    const change =
      explanation.logOdds - Math.log((without["billing"] ?? NaN) / ((without["technical"] ?? NaN) + (without["sales"] ?? NaN)));
    expect(explanation.passages[0]?.change).toBeCloseTo(change, 12);
  });

  test("lists the passages by their change, and they are all of the text", async () => {
    const { passages, text } = await explain(decide, REQUEST, "route");
    const changes = passages.map(({ change }) => change);
    expect(changes).toEqual(changes.toSorted((a, b) => b - a));
    const inOrder = passages.toSorted((a, b) => a.start - b.start);
    expect(inOrder.map(({ start, end }) => text.slice(start, end)).join("")).toBe(MAIL);
  });

  test("is of a no, where a noul is answered with no", async () => {
    const { key, logOdds, answer } = await explain(
      decide,
      { ...REQUEST, state: "Thank you so much, this was lovely. Best wishes." },
      "angry",
    );
    expect(key).toBe("false");
    const { noul } = answer as { noul: number };
    expect(logOdds).toBeCloseTo(Math.log((1 - noul) / noul), 12);
  });

  test("is of the likeliest level of a score", async () => {
    const state = "I bought it on Monday. This is outrageous, I am furious with you! It is blue.";
    const explanation = await explain(decide, { ...REQUEST, state }, "upset");
    expect(explanation.key).toBe("2");
    expect(textsOf(explanation)[0]).toBe("This is outrageous, I am furious with you! ");
  });

  test("of a structured state has its text, with passages in it", async () => {
    const state = { from: "Ada", body: "It is raining. I was charged twice and want a payment back.", items: ["one cup", "one lid"] };
    const explanation = await explain(decide, { ...REQUEST, state }, "route");
    expect(explanation.text).toBe(
      "from: Ada\nbody: It is raining. I was charged twice and want a payment back.\nitems: - one cup\n- one lid",
    );
    expect(textsOf(explanation).toSorted()).toEqual(
      [
        "- one lid",
        "I was charged twice and want a payment back.\n",
        "body: It is raining. ",
        "from: Ada\n",
        "items: - one cup\n",
      ].toSorted(),
    );
    expect(textsOf(explanation)[0]).toBe("I was charged twice and want a payment back.\n");
  });

  test("of an empty state has no passages, of a single sentence it compares with nothing read", async () => {
    expect(await explain(decide, { ...REQUEST, state: "" }, "route")).toMatchObject({ passages: [], readings: 1 });
    const one = await explain(decide, { ...REQUEST, state: "I was charged twice." }, "route");
    const nothing = await explain(decide, { ...REQUEST, state: "" }, "route");
    expect(nothing.answer.x_warnings).toEqual(["empty_state"]);
    expect(one).toMatchObject({ key: "billing", readings: 2 });
    expect(one.passages[0]?.change).toBeGreaterThan(0);
  });

  test("is the same bit for bit, whatever else the decider does", async () => {
    const alone = await decider.explain(REQUEST as never, "route");
    const others = Array.from({ length: 4 }, (_, i) => decider.decide({ ...REQUEST, state: `Something else, number ${i}.` } as never));
    const [busy, again] = await Promise.all([
      decider.explain({ state: MAIL, questions: { other: ANGRY, route: TEAMS } } as never, "route"),
      decider.explain(REQUEST as never, "route"),
      ...others,
    ]);
    expect(busy).toEqual(alone);
    expect(again).toEqual(alone);
  });
});

describe("the cost of an explanation", () => {
  test("is one reading, and one for each passage, of the one question alone, two at a time", async () => {
    const { decide: counting, asked, most } = recorded();
    const { readings } = await explain(counting, REQUEST, "angry");
    expect(readings).toBe(5);
    expect(asked.map(({ questions }) => Object.keys(questions as object))).toEqual(Array(5).fill(["angry"]));
    expect(most()).toBe(2);
  });

  test("is at most 32 further readings of a long state, or as many as were asked for", async () => {
    const state = "Blue cups. ".repeat(40);
    const [usual, few] = await Promise.all([
      explain(decide, { ...REQUEST, state }, "angry"),
      explain(decide, { ...REQUEST, state }, "angry", { maxPassages: 3 }),
    ]);
    expect(usual.readings).toBe(33);
    expect(few.passages).toHaveLength(3);
  });

  test("ends with the first failure, which is passed on as it is", async () => {
    const failure = new Error("no more");
    const { decide: failing, asked } = recorded((calls) => {
      if (calls === 3) throw failure;
    });
    expect(await rejection(() => explain(failing, REQUEST, "angry"))).toBe(failure);
    await expect.poll(() => decider.stats().pendingCalls).toBe(0);
    expect(asked).toHaveLength(3);
  });

  test("ends with an abort between two readings, for its reason", async () => {
    const reason = new Error("enough");
    const ending = new AbortController();
    const { decide: stopped, asked } = recorded((calls) => {
      if (calls === 3) ending.abort(reason);
    });
    expect(await rejection(() => explain(stopped, REQUEST, "angry", { signal: ending.signal }))).toBe(reason);
    expect(asked).toHaveLength(3);
    const { decide: unused, asked: none } = recorded();
    expect(await rejection(() => explain(unused, REQUEST, "angry", { signal: ending.signal }))).toBe(reason);
    expect(none).toEqual([]);
  });
});

describe("a question", () => {
  test("is asked as it was given, all its texts, and once for all: later changes have no effect", async () => {
    const question = { type: "noul", instructions: { ask: "Is it late?" }, criteria: { true: "late by a day" } };
    const given = { state: MAIL, questions: { ["__proto__"]: question } };
    const { decide: counting, asked } = recorded(() => {
      given.state = "changed";
      question.instructions.ask = "changed";
    });
    const { answer } = await explain(counting, given, "__proto__");
    const same = { type: "noul", instructions: "ask: Is it late?", criteria: { true: "late by a day" } } as const;
    expect(answer).toEqual((await decide({ state: MAIL, questions: { same } })).answers["same"]);
    expect(new Set(asked.map(({ questions }) => JSON.stringify(questions))).size).toBe(1);
  });

  test("that is not there is refused, with those that are", async () => {
    const error = await decideError(() => explain(decide, REQUEST, "rout"));
    expect(error).toMatchObject({
      code: "invalid_request",
      message:
        'questionId must be the id of a question of the request, such as "route", "angry", "upset", but is "rout" (did you mean "route"?).',
      issues: [{ loc: ["questionId"], type: "unknown_value" }],
    });
    const missing = await decideError(() => explain(decide, { ...REQUEST, questions: { "Who is Ada?": ANGRY } }, undefined as never));
    expect(missing.message).toBe("questionId is missing: it must be the id of a question of the request.");
  });

  test("or state that is not valid is refused as by decide, with every issue", async () => {
    const wrong = { state: 7, questions: { route: { type: "choice" }, angry: ANGRY } };
    const [explained, decided] = await Promise.all([
      decideError(() => explain(decide, wrong, "angry")),
      decideError(() => decide(wrong as never)),
    ]);
    expect(explained.issues).toEqual(decided.issues);
  });

  test("about a state that is too long is refused as by decide", async () => {
    const request = { ...REQUEST, state: "word ".repeat(20_000) };
    const { code, message } = await decideError(() => explain(decide, request, "angry"));
    expect(code).toBe("input_too_long");
    expect(message).toContain("state");
  });
});

test("options that are unknown or wrong are refused", async () => {
  const options = { maxPassages: 0, maxPassage: 3, signal: {} };
  expect((await decideError(() => explain(decide, REQUEST, "route", options as never))).message).toBe(
    "The options are not valid: maxPassage is unknown (did you mean maxPassages?); signal must be an AbortSignal, such as controller.signal or AbortSignal.timeout(5000), but is an object with 0 keys; maxPassages must be a whole number from 1 to 1000, but is 0.",
  );
});

function probabilitiesOf(answer: unknown): Record<string, number> {
  return (answer as { probabilities: Record<string, number> }).probabilities;
}
