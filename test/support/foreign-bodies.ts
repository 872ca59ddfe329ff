import fc from "fast-check";
import { MAX_OPTIONS } from "../../src/library/decide/questions/choice.ts";
import { mutatedBodies } from "./mutated-bodies.ts";
import type { MutatedBody } from "./mutated-bodies.ts";
import { anyText, mutate, mutationsOf, validRequest } from "./random-requests.ts";

/** Bodies for the paths of other clients: OpenAI's, a gateway's with the first vendor's body, and that body on OpenAI's path. */

export interface ForeignBody extends MutatedBody {
  readonly path: string;
}

const PATHS = ["/v1/decisions", "/api/alpha/decisions", "/v1/decisions"] as const;

/**
 * Makes `count` bodies, and a few more. The same seed gives the same bodies.
 * @param planted stands in texts of all of them, and no reply but an answer may hold it
 */
export function foreignBodies(count: number, seed: number, planted: string): ForeignBody[] {
  // A text with blanks is no plain name, which an error may show.
  const text = `They say ${planted} about it.`;
  const openAi = openAiRequest(text);
  const state = validRequest.map((request) => ({ ...request, state: { said: text, more: request.state } }));
  const sources = [
    { valid: openAi, broken: brokenOpenAi(openAi, text), brokenShare: 0.7 },
    { valid: state, broken: mutationsOf(state), brokenShare: 0.4 },
    { valid: state, broken: mutationsOf(state), brokenShare: 0.4 },
  ];
  const shares = [0.6, 0.2, 0.2];
  const of = sources.map((source, i) =>
    mutatedBodies(Math.ceil(count * (shares[i] ?? 0)), seed + i, { ...source, maxCharacters: 700 }).map((body) => ({
      ...body,
      path: PATHS[i] ?? "",
    })),
  );
  // In turns, so that each path is asked from the beginning to the end.
  const longest = Math.max(...of.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => of.flatMap((bodies) => bodies.slice(i, i + 1))).flat();
}

/** Most are short. */
function openAiRequest(text: string): fc.Arbitrary<object> {
  const said = fc.oneof(fc.constant(text), anyText);
  const named = { name: said };
  const part = fc.oneof(
    fc.record({ type: fc.constant("input_text"), text: said }),
    fc.record({ type: fc.constant("input_json"), data: fc.constant({ said: text, __proto__: null }) }),
  );
  const instructions = fc.oneof(said, fc.array(part, { maxLength: 2 }));
  const value = fc.oneof(said, fc.boolean());
  const choice = fc.record({ value, description: said }, { requiredKeys: ["value"] });
  const level = fc.record({ label: said, description: said }, { requiredKeys: ["label"] });
  const question = fc.oneof(
    fc.record({ type: fc.constant("predicate"), instructions, ...named }, { requiredKeys: ["type", "instructions"] }),
    fc.record(
      { type: fc.constant("choice"), instructions, choices: fc.array(choice, { minLength: 2, maxLength: 4 }), ...named },
      { requiredKeys: ["type", "instructions", "choices"] },
    ),
    fc.record(
      { type: fc.constant("score"), instructions, levels: fc.array(level, { minLength: 2, maxLength: 4 }), ...named },
      { requiredKeys: ["type", "instructions", "levels"] },
    ),
  );
  const role = fc.constantFrom("user", "developer", "system");
  const message = fc.record({ role, content: said });
  const parts = fc.record({ type: fc.constant("message"), role: fc.constant("user"), content: fc.array(part, { maxLength: 2 }) });
  const spoken = fc.record({
    role: fc.constant("assistant"),
    content: fc.constant([
      { type: "output_text", text },
      { type: "refusal", refusal: text },
    ]),
  });
  const call = fc.constantFrom(
    [
      { type: "function_call", call_id: text, name: text, arguments: text },
      { type: "function_call_output", call_id: text, output: text },
    ],
    [
      { type: "custom_tool_call", call_id: text, name: "look", input: text, namespace: text },
      { type: "custom_tool_call_output", call_id: text, output: [{ type: "input_text", text }] },
    ],
  );
  const input = fc.oneof(said, fc.array(fc.oneof(message, parts, spoken), { minLength: 1, maxLength: 2 }), call);
  return fc.record({
    model: fc.constantFrom("latest", "umpire-2"),
    input,
    questions: fc.array(question, { minLength: 1, maxLength: 2 }),
  });
}

const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

/** What JSON can hold where something else belongs. */
const junk = (text: string): readonly unknown[] => [
  null,
  true,
  0,
  -1.5,
  1e308,
  "",
  text,
  "a",
  ...PROTOTYPE_NAMES,
  [],
  {},
  [[]],
  [null],
  [text],
  [{}],
  { [text]: text },
  { type: text },
  { role: text },
  Object.fromEntries(PROTOTYPE_NAMES.map((name) => [name, text])),
];

/** Wrong types everywhere, counts, ids and parts that this wire forbids, and mutations of any kind. */
function brokenOpenAi(valid: fc.Arbitrary<object>, text: string): fc.Arbitrary<unknown> {
  const anywhere = fc
    .tuple(valid, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...junk(text))), { minLength: 1, maxLength: 4 }))
    .map(([request, wrong]) => wrong.reduce<unknown>((value, [where, instead]) => mutate(value, where, "replace", instead, ""), request));
  const special = fc
    .tuple(valid, fc.nat({ max: 5000 }), fc.constantFrom(...SPECIAL))
    .map(([request, count, make]) => ({ ...request, ...make(count, text) }));
  return fc.oneof({ weight: 3, arbitrary: anywhere }, { weight: 1, arbitrary: mutationsOf(valid) }, { weight: 1, arbitrary: special });
}

const times = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
const deep = (depth: number, inside: unknown): unknown => times(depth, () => 0).reduce((value) => [value], inside);
const ask = (more: object): object => ({ type: "choice", instructions: "Which?", ...more });

/** What cannot become a string. */
const NO_TEXT = { toString: null, valueOf: null };

type Special = (count: number, text: string) => object;

const SPECIAL: readonly Special[] = [
  (count) => ({ questions: times(count, (i) => i) }),
  (count, text) => ({ questions: times(401 + (count % 200), () => ({ type: "predicate", instructions: text })) }),
  (count, text) => ({ questions: times(count, () => ({ type: text })) }),
  (count, text) => ({ questions: [ask({ choices: times(count, () => text) })] }),
  (count, text) => ({ questions: [ask({ choices: times(count, (i) => ({ value: `${text} ${i}`, description: i })) })] }),
  (_, text) => ({ questions: [ask({ choices: [{ value: text }, { value: text }] })] }),
  (_, text) => ({ questions: [ask({ choices: [{ value: true }, { value: true }, { value: text }] })] }),
  () => ({ questions: [ask({ choices: [...PROTOTYPE_NAMES, true, "true", "true ", false].map((value) => ({ value })) })] }),
  () => ({ questions: [ask({ name: "__proto__", choices: times(MAX_OPTIONS + 1, (i) => ({ value: i % 2 === 0 })) })] }),
  (count, text) => ({ questions: [ask({ choices: [{ value: text.repeat(count) }, { value: "b" }] })] }),
  (count, text) => ({ questions: [{ type: "score", instructions: text, levels: times(count, () => ({ label: text, description: {} })) }] }),
  (_, text) => ({ questions: times(2, () => ({ type: "box", name: text, instructions: text })) }),
  (count) => ({ questions: times(300, () => ask({ choices: times(14 + (count % 200), (i) => ({ value: String(i) })) })) }),
  (count, text) => ({ input: times(count, () => text) }),
  (_, text) => ({ input: [{ role: "user", content: [{ type: "input_image", image_url: text }] }] }),
  (_, text) => ({ input: [{ role: "user", content: [{ type: "input_file", file_data: text, filename: text }] }] }),
  (count, text) => ({ input: times(count, () => ({ type: "function_call_output", call_id: text, output: text })) }),
  (_, text) => ({ input: [{ type: "function_call_output", call_id: text, output: [{ type: "input_image", image_url: text }] }] }),
  (_, text) => ({
    input: times(4, () => ({ type: "function_call", call_id: text, name: text, arguments: { [text]: text } })),
  }),
  (count, text) => ({ input: [{ role: "user", content: [{ type: "input_json", data: deep(count % 130, text) }] }] }),
  (count, text) => ({ input: deep(count % 130, text) }),
  (count, text) => ({ questions: [{ type: "predicate", instructions: deep(count % 130, text) }] }),
  (count, text) => ({ input: text.repeat(2000 + count) }),
  (_, text) => ({ x_max_error_rate: text, model: { [text]: text } }),
  (_, text) => ({ model: text }),
  (_, text) => ({ questions: [{ type: "score", instructions: text, levels: [{ label: NO_TEXT }, { label: text }] }] }),
  (_, text) => ({ input: [{ type: "function_call", call_id: NO_TEXT, name: NO_TEXT, arguments: text }] }),
];
