import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecideError, fromPlainError, toPlainError } from "../../../src/errors.ts";
import type { Issue, PlainError } from "../../../src/errors.ts";
import { toBatch } from "../../../src/library/decide/decide.ts";
import { inRequest, parseRequest } from "../../../src/library/decide/request.ts";
import { checkLengths } from "../../../src/library/engine/batch.ts";
import { keepsContract } from "../../support/contract-oracle.ts";
import { anyJson, anyRequest, mutatedRequest, NASTY_TEXTS, validRequest } from "../../support/random-requests.ts";

const noul = { type: "noul", instructions: "Is it late?" };
const choice = { type: "choice", instructions: "Which?", criteria: { yes: null, no: null } };
const score = { type: "score", instructions: "How?", criteria: ["low", "high"] };
const asking = (question: unknown): unknown => ({ state: "s", questions: { q: question } });

function refusal(value: unknown): DecideError {
  try {
    parseRequest(value);
  } catch (error) {
    if (error instanceof DecideError) return error;
    throw error;
  }
  throw new Error("the request was accepted");
}

const issuesOf = (value: unknown): readonly Issue[] => refusal(value).issues ?? [];
const found = (value: unknown): string[] => issuesOf(value).map(({ loc, type }) => `${loc.join("/")} ${type}`);

describe("a request that keeps the contract", () => {
  it("comes out with its texts rendered and its questions in order", () => {
    const parsed = parseRequest({
      model: "latest",
      state: { subject: "Late", tags: ["a", "b"] },
      questions: {
        route: { type: "choice", instructions: ["Which", "team?"], criteria: { billing: null, tech_2: { does: "repairs" }, other: "" } },
        angry: { type: "noul", criteria: { true: "shouts" } },
        mood: { type: "score", instructions: "How?", criteria: ["calm", "", ["very", "angry"]] },
      },
      unknown: "top-level fields are ignored",
    });
    expect(parsed).toEqual({
      model: "latest",
      state: "subject: Late\ntags: - a\n- b",
      questions: [
        {
          id: "route",
          type: "choice",
          instructions: "- Which\n- team?",
          criteria: [
            { key: "billing", description: null, given: null },
            { key: "tech_2", description: "does: repairs", given: { does: "repairs" } },
            { key: "other", description: "", given: "" },
          ],
        },
        {
          id: "angry",
          type: "noul",
          instructions: "",
          criteria: [
            { key: "true", description: "shouts", given: "shouts" },
            { key: "false", description: null, given: null },
          ],
        },
        {
          id: "mood",
          type: "score",
          instructions: "How?",
          criteria: [
            { key: "0", description: "calm", given: "calm" },
            { key: "1", description: "", given: "" },
            { key: "2", description: "- very\n- angry", given: ["very", "angry"] },
          ],
        },
      ],
    });
  });

  it.each([
    ["no model", { state: "s", questions: { q: noul } }],
    ["an empty state", { state: "", questions: { q: noul } }],
    ["a state that is an array", { state: [], questions: { q: noul } }],
    ["fields that it does not know", { state: "s", questions: { q: { ...noul, weight: 3 } }, stream: true }],
    ["a noul with null criteria", asking({ ...noul, criteria: null })],
    ["a noul with null instructions and criteria", asking({ type: "noul", instructions: null, criteria: { false: "it is early" } })],
    ["a noul with one null criterion and instructions", asking({ ...noul, criteria: { true: null } })],
    ["2 options", asking(choice)],
    ["255 options", asking({ ...choice, criteria: Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`k${i}`, null])) })],
    ["2 levels", asking(score)],
    ["10 levels", asking({ ...score, criteria: Array.from({ length: 10 }, () => "x") })],
    ["an object without a prototype", Object.assign(Object.create(null) as object, { state: "s", questions: { q: noul } })],
  ])("may have %s", (_, request) => {
    expect(() => parseRequest(request)).not.toThrow();
  });

  it.each(NASTY_TEXTS)("may use %j as id and as key", (text) => {
    const { questions } = parseRequest({
      state: text,
      questions: Object.fromEntries([
        [
          text,
          {
            ...choice,
            criteria: Object.fromEntries([
              [text, text],
              ["another key", null],
            ]),
          },
        ],
      ]),
    });
    expect(questions.map(({ id }) => id)).toEqual([text]);
    expect(questions[0]?.criteria.map(({ key }) => key)).toContain(text);
    expect(questions[0]?.criteria.find(({ key }) => key === text)?.description).toBe(text);
  });

  it("may use ids and keys of 10,000 characters", () => {
    const long = "k".repeat(10_000);
    const { questions } = parseRequest({ state: "s", questions: { [long]: { ...choice, criteria: { [long]: null, b: null } } } });
    expect(questions[0]).toMatchObject({ id: long, criteria: [{ key: long }, { key: "b" }] });
  });
});

describe("each rule", () => {
  it.each<[string, unknown, string[]]>([
    ["no object", "text", ["body wrong_type"]],
    ["null", null, ["body wrong_type"]],
    ["nothing", undefined, ["body missing"]],
    ["an array", [], ["body wrong_type"]],
    ["an empty object", {}, ["body/state missing", "body/questions missing"]],
    ["a number as model", { model: 3, state: "s", questions: { q: noul } }, ["body/model wrong_type"]],
    ["null as model", { model: null, state: "s", questions: { q: noul } }, ["body/model wrong_type"]],
    ["an empty model", { model: "", state: "s", questions: { q: noul } }, ["body/model empty"]],
    ["a number as state", { state: 5, questions: { q: noul } }, ["body/state wrong_type"]],
    ["null as state", { state: null, questions: { q: noul } }, ["body/state wrong_type"]],
    ["true as state", { state: true, questions: { q: noul } }, ["body/state wrong_type"]],
    ["questions as an array", { state: "s", questions: [noul] }, ["body/questions wrong_type"]],
    ["questions as null", { state: "s", questions: null }, ["body/questions wrong_type"]],
    ["no question", { state: "s", questions: {} }, ["body/questions too_few"]],
    ["an empty id", { state: "s", questions: { "": noul } }, ["body/questions/ empty"]],
    ["a question that is a string", asking("noul"), ["body/questions/q wrong_type"]],
    ["a question that is null", asking(null), ["body/questions/q wrong_type"]],
    ["a question without a type", asking({ instructions: "x" }), ["body/questions/q/type missing"]],
    ["another type", asking({ ...noul, type: "bool" }), ["body/questions/q/type unknown_value"]],
    ["a type in other letters", asking({ ...noul, type: "Noul" }), ["body/questions/q/type unknown_value"]],
    ["a type named as an object's method", asking({ ...noul, type: "constructor" }), ["body/questions/q/type unknown_value"]],
    ["a type that is a number", asking({ ...noul, type: 1 }), ["body/questions/q/type wrong_type"]],
    ["a choice without instructions", asking({ type: "choice", criteria: choice.criteria }), ["body/questions/q/instructions missing"]],
    ["a choice with null instructions", asking({ ...choice, instructions: null }), ["body/questions/q/instructions wrong_type"]],
    ["instructions that are a number", asking({ ...choice, instructions: 7 }), ["body/questions/q/instructions wrong_type"]],
    ["a choice without criteria", asking({ type: "choice", instructions: "x" }), ["body/questions/q/criteria missing"]],
    ["a choice with criteria as an array", asking({ ...choice, criteria: ["a", "b"] }), ["body/questions/q/criteria wrong_type"]],
    ["a choice with null criteria", asking({ ...choice, criteria: null }), ["body/questions/q/criteria wrong_type"]],
    ["one option", asking({ ...choice, criteria: { a: null } }), ["body/questions/q/criteria too_few"]],
    [
      "256 options",
      asking({ ...choice, criteria: Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`k${i}`, null])) }),
      ["body/questions/q/criteria too_many"],
    ],
    ["an empty key", asking({ ...choice, criteria: { "": null, b: null } }), ["body/questions/q/criteria/ empty"]],
    ["a description that is a number", asking({ ...choice, criteria: { a: 1, b: null } }), ["body/questions/q/criteria/a wrong_type"]],
    [
      "a description that is undefined",
      asking({ ...choice, criteria: { a: undefined, b: null } }),
      ["body/questions/q/criteria/a wrong_type"],
    ],
    [
      "a score with criteria as a map",
      asking({ ...score, criteria: { "0": "low", "1": "high" } }),
      ["body/questions/q/criteria wrong_type"],
    ],
    ["a score without criteria", asking({ type: "score", instructions: "x" }), ["body/questions/q/criteria missing"]],
    ["a score without instructions", asking({ type: "score", criteria: score.criteria }), ["body/questions/q/instructions missing"]],
    ["one level", asking({ ...score, criteria: ["a"] }), ["body/questions/q/criteria too_few"]],
    ["11 levels", asking({ ...score, criteria: Array.from({ length: 11 }, () => "x") }), ["body/questions/q/criteria too_many"]],
    ["a level that is a boolean", asking({ ...score, criteria: ["a", false] }), ["body/questions/q/criteria/1 wrong_type"]],
    ["a level that is a hole", asking({ ...score, criteria: ["a", , "c"] }), ["body/questions/q/criteria/1 missing"]],
    ["a level that is null", asking({ ...score, criteria: ["a", null] }), ["body/questions/q/criteria/1 wrong_type"]],
    ["a noul with nothing", asking({ type: "noul" }), ["body/questions/q/instructions missing"]],
    ["a noul with null and null", asking({ type: "noul", instructions: null, criteria: null }), ["body/questions/q/instructions missing"]],
    ["a noul with nulls alone", asking({ type: "noul", criteria: { true: null, false: null } }), ["body/questions/q/instructions missing"]],
    ["a noul with criteria as a string", asking({ ...noul, criteria: "yes" }), ["body/questions/q/criteria wrong_type"]],
    ["a noul with criteria as an array", asking({ ...noul, criteria: ["a", "b"] }), ["body/questions/q/criteria wrong_type"]],
    ["a noul with empty criteria", asking({ ...noul, criteria: {} }), ["body/questions/q/criteria too_few"]],
    [
      "a noul with another criterion",
      asking({ ...noul, criteria: { true: "a", maybe: "b" } }),
      ["body/questions/q/criteria/maybe unknown_field"],
    ],
    ["a noul with a number as criterion", asking({ ...noul, criteria: { false: 0 } }), ["body/questions/q/criteria/false wrong_type"]],
  ])("refuses %s", (_, request, expected) => {
    expect(found(request)).toEqual(expected);
    const error = refusal(request);
    expect(error).toMatchObject({ code: "invalid_request", status: 422, retryable: false });
  });

  it("is checked for all questions at once, each complaint at its place", () => {
    const request = {
      model: 1,
      questions: {
        "": noul,
        a: { type: "choice", instructions: 3, criteria: { only: 5 } },
        b: { type: "score", criteria: { x: 1 } },
        __typo: { type: "nuol" },
        d: { type: "noul", instructions: false, criteria: { maybe: "x", true: 9 } },
        e: choice,
      },
    };
    expect(found(request).sort()).toEqual(
      [
        "body/model wrong_type",
        "body/state missing",
        "body/questions/ empty",
        "body/questions/a/instructions wrong_type",
        "body/questions/a/criteria too_few",
        "body/questions/a/criteria/only wrong_type",
        "body/questions/b/instructions missing",
        "body/questions/b/criteria wrong_type",
        "body/questions/__typo/type unknown_value",
        // What was probably meant, a noul, lacks more.
        "body/questions/__typo/instructions missing",
        "body/questions/d/instructions wrong_type",
        "body/questions/d/criteria/maybe unknown_field",
        "body/questions/d/criteria/true wrong_type",
      ].sort(),
    );
    expect(refusal(request).message).toContain("the first of 13 issues");
  });

  it("holds for exactly the JSON values that the contract allows", () => {
    fc.assert(
      fc.property(fc.oneof(validRequest, mutatedRequest, anyRequest, anyJson), (value) => {
        let accepted = true;
        try {
          parseRequest(value);
        } catch (error) {
          accepted = false;
          expect(error).toMatchObject({ code: "invalid_request" });
        }
        expect(accepted).toBe(keepsContract(value));
      }),
    );
  });

  it("names a place that is there, or one that is missing from a place that is there", () => {
    fc.assert(
      fc.property(mutatedRequest, (value) => {
        if (keepsContract(value)) return;
        for (const { loc } of issuesOf(value)) {
          expect(loc[0]).toBe("body");
          let at: unknown = value;
          for (const part of loc.slice(1, -1)) {
            expect(Object.hasOwn(at as object, part)).toBe(true);
            at = (at as Record<string | number, unknown>)[part];
          }
          if (loc.length > 1) expect(typeof at).toBe("object");
        }
      }),
    );
  });
});

describe("a name that is too long", () => {
  const long = "zq".repeat(8193);

  it.each<[string, object, string[]]>([
    ["an id", { [long]: noul, b: noul }, ["body/questions too_long"]],
    ["the only id", { [long]: 5 }, ["body/questions too_long"]],
    ["an option's key", { q: { ...choice, criteria: { a: null, b: null, [long]: 5 } } }, ["body/questions/q/criteria too_long"]],
    ["a key of a noul", { q: { ...noul, criteria: { true: "x", [long]: 5 } } }, ["body/questions/q/criteria too_long"]],
  ])("is an issue: %s", (_, questions, expected) => {
    expect(found({ state: "s", questions })).toEqual(expected);
  });

  it("stands in no place and no message, which say where it is", () => {
    const error = refusal({ state: "s", questions: { a: noul, [long]: { type: 3 } } });
    expect(JSON.stringify(error.issues)).not.toContain("zq");
    expect(error.message).toBe(
      "The request is not valid: questions must hold names of at most 16384 characters, but name 2 of 2 has 16386.",
    );
  });

  it("is no name of a field inside a text", () => {
    expect(() => parseRequest({ state: { [long]: 1 }, questions: { q: { ...noul, instructions: { [long]: 1 } } } })).not.toThrow();
  });
});

describe("a request with thousands of mistakes", () => {
  /** Questions that count how many of them are read. */
  const counted = (count: number, question: unknown): { questions: object; reads: () => number } => {
    let reads = 0;
    const type = { enumerable: true, get: () => (reads++, "noul") };
    const questions = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`q${i}`, Object.defineProperty({ ...(question as object) }, "type", type)]),
    );
    return { questions, reads: () => reads };
  };

  it("lists the first 100 issues and counts the others", () => {
    const error = refusal({ state: "s", questions: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`q${i}`, 5])) });
    expect(error.issues?.map(({ loc }) => loc[2])).toEqual(Array.from({ length: 100 }, (_, i) => `q${i}`));
    expect(error.issuesLeftOut).toBe(900);
    expect(error.message).toContain("(the first of 1000 issues)");
  });

  it("is not read to its end", () => {
    const { questions, reads } = counted(20_000, {});
    expect(refusal({ state: "s", questions }).issues).toHaveLength(100);
    expect(reads()).toBeLessThan(5000);
  });

  it("nor are good questions under a wrong name", () => {
    const { questions, reads } = counted(20_000, { instructions: "?" });
    expect(found({ state: "s", question: questions })).toEqual(["body/question unknown_field"]);
    expect(reads()).toBeLessThan(5000);
    expect(parseRequest({ state: "s", questions }).questions).toHaveLength(20_000);
  });

  it("has no issue for options and keys beyond the greatest number", () => {
    const criteria = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, 5]));
    const issuesFor = (question: object): number => {
      const { issues = [], issuesLeftOut = 0 } = refusal(asking({ ...question, criteria }));
      return issues.length + issuesLeftOut;
    };
    expect(issuesFor(choice)).toBe(256);
    expect(issuesFor(noul)).toBe(255);
  });

  it("asks of the first 32 fields of a question whether they are misspelt", () => {
    const fields = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1]));
    expect(found(asking({ ...noul, ...fields(29), critera: { true: "x" } }))).toEqual(["body/questions/q/critera unknown_field"]);
    expect(() => parseRequest(asking({ ...noul, ...fields(30), critera: { true: "x" } }))).not.toThrow();
  });
});

describe("values that are no JSON", () => {
  class Ticket {
    get state(): string {
      throw new Error("SECRET of a getter");
    }
  }
  const throwing = Object.defineProperty({ state: "s" }, "questions", {
    enumerable: true,
    get: () => {
      throw new Error("SECRET of a getter");
    },
  });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const hostile = new Proxy(
    { state: "s", questions: { q: noul } },
    {
      ownKeys: () => {
        throw new TypeError("SECRET of a proxy");
      },
      get: () => {
        throw new TypeError("SECRET of a proxy");
      },
    },
  );

  it.each([
    ["a getter that throws", throwing],
    ["a getter of a class that throws", new Ticket()],
    ["a proxy that throws", hostile],
    ["a revoked proxy", revoked.proxy],
    ["a revoked proxy as state", { state: revoked.proxy, questions: { q: noul } }],
    [
      "a getter that throws nothing",
      Object.defineProperty({}, "state", {
        get: () => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is tested
          throw undefined;
        },
      }),
    ],
  ])("with %s are refused without its text", (_, value) => {
    const error = refusal(value);
    expect(error.code).toBe("invalid_request");
    expect(error.issues?.map(({ type }) => type)).toContain("not_json");
    expect(error.message).not.toContain("SECRET");
    expect(JSON.stringify(error.issues)).not.toContain("SECRET");
  });

  it.each<[string, unknown]>([
    ["a BigInt", 1n],
    ["a symbol", Symbol("x")],
    ["a function", () => "x"],
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set(["a"])],
    ["a Date", new Date(0)],
    ["a RegExp", /x/],
    ["a typed array", new Uint8Array(3)],
    ["a boxed string", Object("text")],
    ["an error", new Error("x")],
    ["NaN", NaN],
    ["infinity", -Infinity],
  ])("such as %s are refused at their place, wherever they are", (_, value) => {
    expect(found(value)).toEqual(["body wrong_type"]);
    expect(found({ state: value, questions: { q: noul } })).toEqual(["body/state wrong_type"]);
    expect(found({ state: { a: [value] }, questions: { q: noul } })).toEqual(["body/state/a/0 not_json"]);
    expect(found(asking({ ...choice, instructions: { a: value } }))).toEqual(["body/questions/q/instructions/a not_json"]);
    expect(found(asking({ ...choice, criteria: { a: value, b: null } }))).toEqual(["body/questions/q/criteria/a wrong_type"]);
    expect(found(asking({ ...choice, criteria: { a: [value], b: null } }))).toEqual(["body/questions/q/criteria/a/0 not_json"]);
    expect(found(asking({ ...score, criteria: ["x", { y: value }] }))).toEqual(["body/questions/q/criteria/1/y not_json"]);
    expect(found(asking({ ...noul, type: value }))).toEqual(["body/questions/q/type wrong_type"]);
    expect(found(asking(value))).toEqual(["body/questions/q wrong_type"]);
    expect(found({ state: "s", questions: value })).toEqual(["body/questions wrong_type"]);
  });

  it("are described by what they are", () => {
    const messageFor = (state: unknown): string | undefined => issuesOf({ state, questions: { q: noul } })[0]?.msg;
    expect(messageFor(7)).toContain("a number");
    expect(messageFor(null)).toContain("null");
    expect(messageFor(new Date())).toContain("an object of class Date");
    expect(messageFor(() => 1)).toContain("a function");
    expect(issuesOf("hello")[0]?.msg).toContain("a string of 5 characters");
    expect(issuesOf(["a"])[0]?.msg).toContain("an array of 1");
  });

  it("do not hold up the reader: huge sparse levels are refused at once", () => {
    const criteria: unknown[] = [];
    criteria.length = 2 ** 32 - 1;
    expect(found(asking({ ...score, criteria }))).toContain("body/questions/q/criteria too_many");
  });

  it("do not hold up the reader: an object that is its own multiple 110 times", () => {
    let bomb: unknown = ["boom"];
    for (let level = 0; level < 60; level++) bomb = [bomb, bomb];
    const criteria = Object.fromEntries(Array.from({ length: 110 }, (_, i) => [`k${i}`, bomb]));
    const { issues, issuesLeftOut } = refusal({ state: bomb, questions: { q: { ...choice, criteria } } });
    expect(issues?.every(({ type }) => type === "too_long")).toBe(true);
    expect([issues?.length, issuesLeftOut]).toEqual([100, 11]);
  });
});

it("over HTTP may have fields that are called like options of a library's call", () => {
  const body = { model: "latest", state: "s", questions: { q: noul }, signal: 1, maxInputTokens: 2 };
  expect(parseRequest(body, { modelRequired: true }).model).toBe("latest");
  expect(() => parseRequest(body)).toThrow(/signal belongs in the second argument/);
});

describe("a message", () => {
  const letters = fc.stringMatching(/^[a-z]{12}$/);
  /** Every text of a refusal of the request, or none if it is not refused. */
  const saidOf = (request: unknown): string[] => {
    if (keepsContract(request)) return [];
    const { message, issues = [] } = refusal(request);
    return [message, ...issues.map(({ msg }) => msg)];
  };

  it("never holds a text of the caller's that is no plain name, wherever that stands", () => {
    const unlikeNames = fc.tuple(letters, fc.constantFrom(" ", "é", "@", "?", "\n", "\u202e")).map(([text, other]) => `zq${other}${text}`);
    fc.assert(
      fc.property(mutatedRequest, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), unlikeNames, (request, places, text) => {
        for (const said of saidOf(plant(request, places, text))) expect(said).not.toContain(text);
      }),
    );
  });

  it("never holds a long text, plain as it may be", () => {
    fc.assert(
      fc.property(mutatedRequest, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), letters, (request, places, text) => {
        const long = `zq${text}`.padEnd(41, "x");
        for (const said of saidOf(plant(request, places, long))) expect(said).not.toContain(long);
      }),
    );
  });

  it("never holds a state, instructions or a description, plain as they may be", () => {
    fc.assert(
      fc.property(mutatedRequest, letters, (request, text) => {
        const secret = `zq${text}`;
        for (const said of saidOf(withTexts(request, secret))) expect(said).not.toContain(secret);
      }),
    );
  });

  it("counts the questions and options whose names are not plain", () => {
    const { message } = refusal({ state: "s", questions: { "my private id": { ...choice, criteria: { "my private key": 5, b: null } } } });
    expect(message).toBe(
      "The request is not valid: question 1 of 1: option 1 of 2 must be a description (a string, an object, an array or null), but is a number.",
    );
  });
});

/** The request with a text in place of some of its strings and of the keys around them. */
function plant(request: unknown, places: readonly number[], text: string): unknown {
  let seen = 0;
  const total = JSON.stringify(request).length;
  const chosen = new Set(places.map((place) => place % Math.max(1, Math.min(40, total))));
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return chosen.has(seen++) ? text : value;
    if (typeof value !== "object" || value === null) return chosen.has(seen++) ? text : value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [chosen.has(seen++) ? text : key, walk(inner)]));
  };
  return walk(request);
}

/** The request with a text in its state, its instructions and its descriptions, whatever else is wrong with it. A message names plain fields of a state. */
function withTexts(request: unknown, text: string): unknown {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const filled = (value: unknown): unknown => (typeof value === "string" ? text : isObject(value) ? { [text]: [text, () => text] } : value);
  if (!isObject(request)) return request;
  const questions = isObject(request["questions"])
    ? Object.fromEntries(
        Object.entries(request["questions"]).map(([id, question]) => {
          if (!isObject(question)) return [id, filled(question)];
          const { instructions, criteria } = question;
          const texts = isObject(criteria)
            ? Object.fromEntries(Object.entries(criteria).map(([key, value]) => [key, filled(value)]))
            : question["type"] === "score" && Array.isArray(criteria)
              ? criteria.map(filled)
              : criteria;
          return [id, { ...question, instructions: filled(instructions), criteria: texts }];
        }),
      )
    : request["questions"];
  const { state } = request;
  return { ...request, state: isObject(state) ? { field: [text, () => text] } : filled(state), questions };
}

const LIMITS = { stateTokens: 5, windowTokens: 5, overlapTokens: 1, instructionsTokens: 5, optionTokens: 5 };
const wordsOf = (text: string): number[] => text.split(" ").map((word) => word.length);
const LONG = "one two three four five six";

/** What a worker sends of a request that is too long, and the error that the caller gets. */
function refused(request: unknown): { sent: PlainError; error: DecideError } {
  const parsed = parseRequest(request);
  try {
    checkLengths(toBatch(parsed), LIMITS, wordsOf);
  } catch (thrown) {
    const sent = structuredClone(toPlainError(thrown));
    return { sent, error: inRequest(fromPlainError(sent), parsed) as DecideError };
  }
  throw new Error("nothing was too long");
}

const choiceOf = (count: number, key: (i: number) => string): object => ({
  type: "choice",
  instructions: "?",
  criteria: Object.fromEntries(Array.from({ length: count }, (_, i) => [key(i), LONG])),
});

describe("a request that is too long for the model", () => {
  it("has each issue at its place, in the caller's ids and keys", () => {
    const { error } = refused({
      state: LONG,
      questions: {
        route: { type: "choice", instructions: LONG, criteria: { short: null, "long one": LONG } },
        "0": { type: "score", instructions: "?", criteria: ["low", LONG] },
        ...Object.fromEntries([["__proto__", { type: "noul", criteria: { false: LONG } }]]),
      },
    });
    expect(error).toMatchObject({ code: "input_too_long", status: 413 });
    expect(error.issues?.map(({ loc, msg }) => `${loc.join("/")} ${msg}`)).toEqual([
      "body/state has 6 tokens, more than the model's limit of 5",
      "body/questions/0/criteria/1 has 6 tokens, more than the model's limit of 5",
      "body/questions/route/instructions has 6 tokens, more than the model's limit of 5",
      "body/questions/route/criteria/long one has 8 tokens, more than the model's limit of 5",
      "body/questions/__proto__/criteria/false has 7 tokens, more than the model's limit of 5",
    ]);
    expect(error.message).toBe(
      "The request is too long: state has 6 tokens, more than the model's limit of 5 (the first of 5 issues). Nothing is ever cut, so shorten it.",
    );
  });

  it("is told by the place of its first issue, with plain names alone", () => {
    const { error } = refused({ state: "s", questions: { "my id": choiceOf(2, (i) => `my key ${i}`) } });
    expect(error.message).toContain("too long: question 1 of 1: option 1 of 2 has 6 tokens");
    expect(error.message).toContain("(the first of 2 issues)");
  });

  it("has an issue of all options of a question at its criteria", () => {
    const parsed = parseRequest({
      state: "s",
      questions: { a: { type: "noul", instructions: "?" }, "my id": choiceOf(3, (i) => `key ${i}`) },
    });
    const issues = [
      { loc: ["questions", 1, "options"], msg: "has 26 different options, more than the model's limit of 25", type: "too_long" },
    ] as const;
    const error = inRequest(new DecideError("input_too_long", "The batch is too long.", { issues }), parsed) as DecideError;
    expect(error.issues?.map(({ loc }) => loc)).toEqual([["body", "questions", "my id", "criteria"]]);
    expect(error.message).toBe(
      "The request is too long: question 2 of 2: criteria has 26 different options, more than the model's limit of 25. Nothing is ever cut, so shorten it.",
    );
  });

  it("crosses the thread line as indexes and numbers: no id, no key, and no issue beyond a hundred", () => {
    const id = "secret".repeat(2000);
    const { sent, error } = refused({ state: "s", questions: { [id]: choiceOf(255, (i) => `secret${i}`.repeat(1000)) } });
    const text = JSON.stringify(sent);
    expect(text).not.toContain("secret");
    expect(text.length).toBeLessThan(20_000);
    expect([error.issues?.length, error.issuesLeftOut]).toEqual([100, 155]);
    expect(error.issues?.every(({ loc }, i) => loc[2] === id && loc[4] === `secret${i}`.repeat(1000))).toBe(true);
    expect(error.message).toContain("(the first of 255 issues)");
  });

  it("as a whole is named as such", () => {
    const parsed = parseRequest({ state: "one two", questions: { q: { type: "noul", instructions: "three" } } });
    const check = (maxInputTokens: number): void => {
      checkLengths({ ...toBatch(parsed), maxInputTokens }, LIMITS, wordsOf);
    };
    check(3);
    let error: unknown;
    try {
      check(2);
    } catch (thrown) {
      error = inRequest(thrown, parsed);
    }
    expect(error).toMatchObject({
      message:
        "The request is too long: all of it together has 3 input tokens, more than the limit of 2 for one request. Nothing is ever cut, so shorten it.",
      issues: [{ loc: ["body"], type: "too_long" }],
    });
  });
});

it("an engine's other errors are the caller's as they are", () => {
  const parsed = parseRequest({ state: "s", questions: { q: { type: "noul", instructions: "?" } } });
  for (const error of [new DecideError("backend_failed", "The runtime failed."), new TypeError("x"), "text", undefined]) {
    expect(inRequest(error, parsed)).toBe(error);
  }
});
