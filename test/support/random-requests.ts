import fc from "fast-check";
import type { Question } from "../../src/public.ts";

/** Arbitrary requests for the property tests and the fuzzer. Texts are short, to keep the model fast. */

/** Keys and texts that are known to break programs. */
export const NASTY_TEXTS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "$&",
  "$1",
  "%s",
  "{}",
  "[CLS]",
  "[SEP]",
  "[UNK]",
  "##ing",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "😀",
  "👨‍👩‍👧‍👦",
  "नमस्ते",
  "中文",
  "שלום",
  "\u202eabc",
  "e\u0301",
  "\ufeff",
  " ",
  "\n",
  "_",
  "___",
  "0",
  "-1",
  "A",
  "L2",
  "opt_12",
  "٣",
  "true",
  "false",
  "null",
  "<script>alert(1)</script>",
  "'; DROP TABLE states; --",
] as const;

const words = fc
  .array(fc.constantFrom("the", "parcel", "arrived", "late", "customer", "refund", "angry", "is", "not", "invoice", "3", "two"), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(" "));

const wild = fc.string({ unit: "binary", maxLength: 20 });
const surrogates = fc.array(fc.integer({ min: 0xd780, max: 0xe080 }), { maxLength: 6 }).map((units) => String.fromCharCode(...units));

/** Mostly ordinary sentences, with some hostile texts. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 2, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  { weight: 1, arbitrary: wild },
  { weight: 1, arbitrary: surrogates },
  { weight: 1, arbitrary: fc.constant("") },
);

export const anyKey = anyText.filter((text) => text !== "");

const jsonLeaf = fc.oneof(anyText, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));

/** Maximum length of a structured value as JSON, so that it stays below the token limit of any part of a request. */
const MAX_CHARACTERS = 150;

const small = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T> => value.filter((json) => JSON.stringify(json).length <= MAX_CHARACTERS);

/** A JSON value with hostile keys. `__proto__` is an own key, as from JSON.parse. */
const nestedJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    jsonLeaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(anyText, tie("value")), { maxLength: 3 }).map(Object.fromEntries),
  ),
})).value;

export const anyJson = small(nestedJson);

const structured = small(
  fc.oneof(
    fc.array(nestedJson, { maxLength: 3 }),
    fc.array(fc.tuple(anyText, nestedJson), { maxLength: 3 }).map((entries): unknown => Object.fromEntries(entries)),
  ),
);

/** A state or instructions: string, object or array. */
export const anyTextValue: fc.Arbitrary<unknown> = fc.oneof({ weight: 3, arbitrary: anyText }, { weight: 1, arbitrary: structured });

const anyDescription = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: anyTextValue });

export interface ValidRequest {
  readonly model?: string;
  readonly state: unknown;
  readonly questions: Record<string, ValidQuestion>;
}

export interface ValidQuestion {
  readonly type: Question["type"];
  readonly instructions?: unknown;
  readonly criteria?: unknown;
}

const uniqueEntries = <T>(value: fc.Arbitrary<T>, minLength: number, maxLength: number): fc.Arbitrary<[string, T][]> =>
  fc.uniqueArray(fc.tuple(anyKey, value), { minLength, maxLength, selector: ([key]) => key });

const objectOf = <T>(entries: [string, T][]): Record<string, T> => Object.fromEntries(entries);

export const choiceQuestion: fc.Arbitrary<ValidQuestion> = fc.record({
  type: fc.constant("choice" as const),
  instructions: anyTextValue,
  criteria: uniqueEntries(anyDescription, 2, 6).map(objectOf),
});

const yesAndNo = fc
  .record({ true: anyDescription, false: anyDescription }, { requiredKeys: [] })
  .filter((criteria) => Object.keys(criteria).length > 0);

export const noulQuestion: fc.Arbitrary<ValidQuestion> = fc.oneof(
  fc.record({ type: fc.constant("noul" as const), instructions: anyTextValue }),
  fc.record({ type: fc.constant("noul" as const), instructions: anyTextValue, criteria: fc.oneof(yesAndNo, fc.constant(null)) }),
  fc.record({
    type: fc.constant("noul" as const),
    criteria: yesAndNo.filter((criteria) => Object.values(criteria).some((description) => description !== null)),
  }),
);

export const scoreQuestion: fc.Arbitrary<ValidQuestion> = fc.record({
  type: fc.constant("score" as const),
  instructions: anyTextValue,
  criteria: fc.array(anyTextValue, { minLength: 2, maxLength: 5 }),
});

const QUESTION_OF: { readonly [T in Question["type"]]: fc.Arbitrary<ValidQuestion> } = {
  choice: choiceQuestion,
  noul: noulQuestion,
  score: scoreQuestion,
};

export const anyQuestion = fc.oneof(...Object.values(QUESTION_OF));

/** A valid request. */
export const validRequest: fc.Arbitrary<ValidRequest> = fc.record(
  {
    model: fc.constantFrom("latest", "jev-latest", "umpire-2"),
    state: anyTextValue,
    questions: uniqueEntries(anyQuestion, 1, 3).map(objectOf),
  },
  { requiredKeys: ["state", "questions"] },
);

/** Such a request with one to three mutations, which replace, remove or add a value. */
export function mutationsOf(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      valid,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom("replace", "remove", "add"), anyJson, anyText), { minLength: 1, maxLength: 3 }),
    )
    .map(([request, mutations]) =>
      mutations.reduce<unknown>((value, [where, how, junk, key]) => mutate(value, where, how, junk, key), request),
    );
}

/** A valid request with one to three mutations. */
export const mutatedRequest: fc.Arbitrary<unknown> = mutationsOf(validRequest);

/** A copy of a request with another value at one of its places, without it, or with one more beside it. */
export function mutate(request: unknown, where: number, how: string, junk: unknown, key: string): unknown {
  const copy = structuredClone(request);
  const places = placesIn(copy);
  const place = places[where % Math.max(1, places.length)];
  if (place === undefined) return junk;
  const [holder, name] = place;
  if (how === "remove" && !Array.isArray(holder)) Reflect.deleteProperty(holder, name);
  else define(holder, how === "add" && !Array.isArray(holder) ? key : name, junk);
  return copy;
}

/** Lists every property of every object and array in a value, with its holder. */
function placesIn(value: unknown): [holder: object, name: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [object, string][] => [[value, name], ...placesIn(inner)]);
}

function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Any JSON value, and requests that are valid or almost valid. */
export const anyRequest: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: validRequest },
  { weight: 4, arbitrary: mutatedRequest },
  { weight: 1, arbitrary: anyJson },
  { weight: 1, arbitrary: fc.record({ state: anyJson, questions: anyJson }) },
);
