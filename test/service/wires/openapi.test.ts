import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_NAME_CHARACTERS } from "../../../src/library/decide/questions/question-kind.ts";
import { DecideError, MAX_ISSUES } from "../../../src/errors.ts";
import type { DecideErrorCode, IssueType } from "../../../src/errors.ts";
import { DEFAULT_LIMITS, FIXED_LIMITS } from "../../../src/service/handler/limits.ts";
import { openApiDocument } from "../../../src/service/wires/openapi.ts";
import { ERROR_TYPES, STATUS_TYPES, errorBody } from "../../../src/service/handler/responses.ts";
import { parseRequest } from "../../../src/library/decide/request.ts";
import { anyRequest, mutatedRequest, validRequest } from "../../support/random-requests.ts";
import { schemaCheck } from "../../support/schema-check.ts";
import { OPTIONS, document } from "../handler/openapi-document.ts";
import type { Doc } from "../handler/openapi-document.ts";

/** Whether the service accepts the request. */
function accepted(value: unknown): boolean {
  try {
    parseRequest(value, { modelRequired: true });
    return true;
  } catch (error) {
    if (DecideError.isInstance(error)) return false;
    throw error;
  }
}

describe("the document", () => {
  test("is valid OpenAPI 3.1, with and without keys, credits, limits and a base path", async () => {
    const unlimited = { ...DEFAULT_LIMITS, inputTokens: Infinity };
    const variants = [
      OPTIONS,
      { ...OPTIONS, authentication: false, credits: false },
      { ...OPTIONS, basePath: "/ai/judge", limits: unlimited },
    ];
    for (const variant of variants) {
      const validator = new Validator();
      const text = JSON.stringify(openApiDocument(variant));
      expect(await validator.validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true });
      expect(validator.version).toBe("3.1");
      // Throws if a reference cannot be resolved.
      validator.resolveRefs();
      expect(text).not.toMatch(/∞|[{](basePath|version|bodyBytes|inputTokens|charged)[}]/u);
    }
  });

  test("is plain JSON", () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("lists the statuses of each path", () => {
    const statuses = (path: string, method: string): string[] => Object.keys(document.paths[path]?.[method]?.responses ?? {});
    const decide = ["200", "400", "401", "402", "404", "413", "415", "422", "429", "500", "502", "503", "504"];
    expect(statuses("/decision/v1/model", "post")).toEqual(decide);
    expect(statuses("/v1/systemone", "post")).toEqual([...decide.filter((status) => status !== "400"), "529"]);
    expect(statuses("/decision/v1/models", "get")).toEqual(["200", "401", "500", "503"]);
    expect(statuses("/v1/models", "get")).toEqual(["200", "401", "500", "503"]);
    for (const path of ["/", "/openapi.json", "/livez", "/readyz", "/metrics"]) expect(statuses(path, "get")).toContain("200");
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("lists 421 only if the service has no keys, when it looks at the host's name", () => {
    const has421 = (described: unknown): boolean[] =>
      ["/decision/v1/model", "/v1/systemone", "/decision/v1/models", "/v1/models"].map((path) =>
        Object.values((described as Doc).paths[path] ?? {}).every(({ responses }) => "421" in responses),
      );
    expect(has421(document)).toEqual([false, false, false, false]);
    expect(has421(openApiDocument({ ...OPTIONS, authentication: false }))).toEqual([true, true, true, true]);
  });

  test("mentions keys and charges only if the service has them", () => {
    const { paths, ...rest } = openApiDocument({ ...OPTIONS, authentication: false, credits: false }) as unknown as Doc;
    // The metrics may have a secret of their own, which is no key.
    const open = JSON.stringify({ ...rest, paths: { ...paths, "/metrics": undefined } });
    for (const word of ["bearer", '"401"', '"402"', "is charged by"]) {
      expect(JSON.stringify(document)).toContain(word);
      expect(open).not.toContain(word);
    }
  });
});

/** The compiler asks for each. */
const ISSUE_TYPES: Readonly<Record<IssueType, true>> = {
  missing: true,
  wrong_type: true,
  too_few: true,
  too_many: true,
  empty: true,
  unknown_value: true,
  unknown_field: true,
  not_json: true,
  too_deep: true,
  cyclic: true,
  too_long: true,
};

describe("the document is in step with the code:", () => {
  const { schemas } = document.components as unknown as {
    readonly schemas: Record<string, { readonly properties: Record<string, never> }>;
  };
  const error = schemas["Error"] as unknown as {
    readonly properties: {
      readonly error: { readonly properties: Record<"type" | "code", { readonly enum: string[]; readonly description: string }> };
      readonly detail: { readonly oneOf: [unknown, { readonly properties: { readonly error_type: { readonly enum: string[] } } }] };
    };
  };

  test("codes and types of errors and issues", () => {
    const { type, code } = error.properties.error.properties;
    expect(code.enum).toEqual(Object.keys(ERROR_TYPES));
    for (const one of code.enum) expect(code.description).toContain(`- \`${one}\`: `);
    expect(type.enum).toEqual([...new Set(Object.values(ERROR_TYPES))]);
    expect(error.properties.detail.oneOf[1].properties.error_type.enum).toEqual(STATUS_TYPES);
    expect(schemas["Issue"]?.properties["type"]).toEqual({ enum: Object.keys(ISSUE_TYPES) });
  });

  test("limits that are no options", () => {
    const text = JSON.stringify(schemas);
    const { nesting, values, questions, criteria } = FIXED_LIMITS;
    expect(text).toContain(`nest at most ${nesting} levels deep`);
    expect(text).toContain(`at most ${values.toLocaleString("en-US")} values`);
    expect(text).toContain(`at most ${criteria.toLocaleString("en-US")} options and levels`);
    expect(schemas["DecideRequest"]?.properties["questions"]).toMatchObject({
      maxProperties: questions,
      propertyNames: { maxLength: MAX_NAME_CHARACTERS },
    });
    expect(text).toContain(`a reply lists at most ${MAX_ISSUES} issues`);
    expect(text.split(`"maxItems":${MAX_ISSUES}`)).toHaveLength(3);
  });
});

describe("a request matches the schema exactly if the service accepts it:", () => {
  const complaint = schemaCheck(document, "DecideRequest");
  const agree = (value: unknown): void => {
    // The service receives JSON.
    const json: unknown = JSON.parse(JSON.stringify(value));
    expect({ schema: complaint(json) === undefined, json }).toEqual({ schema: accepted(json), json });
  };
  const named = validRequest.map((request) => ({ model: "latest", ...request }));
  const seen = { accepted: 0, refused: 0 };
  const agreeAndCount = (value: unknown): void => {
    agree(value);
    seen[accepted(value) ? "accepted" : "refused"] += 1;
  };

  test("hundreds of valid, damaged and arbitrary requests", () => {
    for (const requests of [named, mutatedRequest, anyRequest]) fc.assert(fc.property(requests, agreeAndCount), { numRuns: 500 });
    expect(seen.accepted).toBeGreaterThan(500);
    expect(seen.refused).toBeGreaterThan(400);
  });

  test("every kind of value in every place", () => {
    const values = [undefined, null, true, 0, "", "text", [], ["a"], ["a", "b"], {}, { a: null }, { a: "x", b: "y" }, { true: "x" }];
    const noul = { type: "noul", instructions: "?" };
    for (const value of values) {
      agree(value ?? null);
      for (const field of ["model", "state", "questions"]) agree({ model: "m", state: "s", questions: { q: noul }, [field]: value });
      agree({ model: "m", state: "s", questions: { q: value ?? null } });
      for (const type of ["choice", "noul", "score", "other"]) {
        for (const other of values) agree({ model: "m", state: "s", questions: { q: { type, instructions: value, criteria: other } } });
      }
      for (const criteria of [{ true: value }, { false: value }, { true: value, false: null }, { true: value, maybe: "x" }]) {
        agree({ model: "m", state: "s", questions: { q: { type: "noul", criteria } } });
        agree({ model: "m", state: "s", questions: { q: { ...noul, criteria } } });
      }
    }
  });

  test("counts at their limits", () => {
    const keys = (count: number): [string, null][] => Array.from({ length: count }, (_, i) => [`k${i}`, null]);
    const ask = (question: object): object => ({ model: "m", state: "", questions: { q: question } });
    const choice = (count: number): object => ask({ type: "choice", instructions: "?", criteria: Object.fromEntries(keys(count)) });
    const score = (count: number): object => ask({ type: "score", instructions: "?", criteria: keys(count).map(() => "") });
    for (const [request, right] of [
      [choice(1), false],
      [choice(2), true],
      [choice(255), true],
      [choice(256), false],
      [score(1), false],
      [score(2), true],
      [score(10), true],
      [score(11), false],
    ] as const) {
      agree(request);
      expect(accepted(request)).toBe(right);
    }
  });

  test("empty ids and keys", () => {
    const noul = { type: "noul", instructions: "?" };
    const choice = { type: "choice", instructions: "?", criteria: { "": null, b: null } };
    for (const questions of [{ "": noul }, { q: noul, "": noul }, { q: choice }]) {
      agree({ model: "m", state: "", questions });
      expect(accepted({ model: "m", state: "", questions })).toBe(false);
    }
  });

  test("names of built-in properties as ids and keys", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const question = JSON.parse(`{"type": "choice", "instructions": "?", "criteria": {"${name}": null, "b": null}}`) as object;
      const request = { model: "m", state: "", questions: Object.fromEntries([[name, question]]) };
      agree(request);
      expect(accepted(request)).toBe(true);
      agree({ model: "m", state: "", questions: Object.fromEntries([[name, 1]]) });
    }
  });

  describe("except for limits that only the description can express:", () => {
    const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], "x");
    const about = (state: unknown): unknown => ({ model: "m", state, questions: { q: { type: "noul", instructions: "?" } } });
    const description = document.components.schemas["DecideRequest"]?.description;

    test("nesting of values", () => {
      expect(complaint(about(nested(101)))).toBeUndefined();
      expect(accepted(about(nested(101)))).toBe(false);
      expect(accepted(about(nested(100)))).toBe(true);
      expect(description).toContain("at most 64 levels");
    });

    test("length of a structured value's text, which the limits of bytes and tokens bound", () => {
      const long = about(["x".repeat(4_194_304)]);
      expect(complaint(long)).toBeUndefined();
      expect(accepted(long)).toBe(false);
      expect(description).toContain("65,536 input tokens");
    });

    test("options and levels of all questions together", () => {
      expect(description).toContain("at most 4,096 options and levels");
    });
  });

  test("number of questions, which the handler counts", () => {
    const request = (count: number): unknown => ({
      model: "m",
      state: "",
      questions: Object.fromEntries(Array.from({ length: count }, (_, i) => [`q${i}`, { type: "noul", instructions: "?" }])),
    });
    expect(complaint(request(400))).toBeUndefined();
    expect(complaint(request(401))).toMatch(/must NOT have more than 400 properties/u);
  });
});

describe("an error of each code", () => {
  const complaint = schemaCheck(document, "Error");
  const issues = [{ loc: ["body", "questions", "q", "criteria", 2], msg: "is missing", type: "missing" }] as const;

  for (const code of Object.keys(ERROR_TYPES) as DecideErrorCode[]) {
    test(`matches the schema: ${code}`, () => {
      for (const options of [{}, { issues }, { status: 400, issues }]) {
        const body: unknown = JSON.parse(JSON.stringify(errorBody(new DecideError(code, "What happened.", options))));
        expect(complaint(body)).toBeUndefined();
        expect(complaint({ ...(body as object), detail: undefined })).toBeDefined();
      }
    });
  }
});
