import { createDecider } from "umpire";
import type { DecideOptions, DecideRequest, DeciderOptions } from "umpire";
import { describe, expect, it } from "vitest";
import { decideError } from "../../support/rejection.ts";
import { sharedDecider } from "../../support/shared-decider.ts";

/** What people get wrong, and the whole message that they get. It names the question and the field, and says what to write. */

const choice = { type: "choice", instructions: "Which team?", criteria: { billing: null, technical: null } };
const noul = { type: "noul", instructions: "Is it late?" };
const score = { type: "score", instructions: "How upset?", criteria: ["calm", "angry"] };
const named = (count: number, value: unknown): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`option${i}`, value]));

const A_QUESTION = '{ "type": "noul", "instructions": "Is the customer angry?" }';
const TEXT = "a string, an object or an array";
const OPTIONS = "an object that maps options to descriptions";
const A_CHOICE = '{ "billing": null, "other": null }';
const QUESTIONS_MISSING = `questions is missing: it must be an object that maps ids to questions, such as { "angry": ${A_QUESTION} }`;
const TYPES = '"choice", "noul" or "score"';
const MORE = (count: number): string => ` (the first of ${count + 1} issues)`;

/** Questions beside a state that is right. */
const QUESTIONS: [what: string, questions: unknown, message: string][] = [
  [
    "options as an array",
    { route: { ...choice, criteria: ["a", "b"] } },
    `route: criteria must be ${OPTIONS}, such as { "a": null, "b": null }, but is an array of 2`,
  ],
  [
    "many options as an array",
    { route: { ...choice, criteria: ["a", "b", "c", "d"] } },
    `route: criteria must be ${OPTIONS}, such as { "a": null, "b": null, "c": null, ... }, but is an array of 4`,
  ],
  [
    "options that are sentences, as an array",
    { route: { ...choice, criteria: ["to Ann", "to Ben"] } },
    `route: criteria must be ${OPTIONS}, such as ${A_CHOICE}, but is an array of 2`,
  ],
  [
    "options as a string",
    { route: { ...choice, criteria: "billing, technical" } },
    `route: criteria must be ${OPTIONS}, such as ${A_CHOICE}, but is a string of 18 characters`,
  ],
  [
    "no options",
    { route: { type: "choice", instructions: "Which?" } },
    `route: criteria is missing: it must be ${OPTIONS}, such as ${A_CHOICE}`,
  ],
  [
    "one option",
    { route: { ...choice, criteria: { billing: null } } },
    `route: criteria must hold at least 2 options, such as ${A_CHOICE}, but holds 1`,
  ],
  ["300 options", { route: { ...choice, criteria: named(300, null) } }, "route: criteria must hold at most 255 options, but holds 300"],
  [
    "a number as a description",
    { route: { ...choice, criteria: { billing: 1, other: null } } },
    "route: criteria.billing must be a description (a string, an object, an array or null), but is a number",
  ],
  [
    "true as a description, of an option with a long name",
    { route: { ...choice, criteria: { "goes to Ann Miller": true, other: null } } },
    "route: option 1 of 2 must be a description (a string, an object, an array or null), but is a boolean",
  ],
  [
    "critera",
    { route: { type: "choice", instructions: "Which?", critera: { a: null, b: null } } },
    "route: critera is unknown (did you mean criteria?)",
  ],
  ["instruction", { late: { type: "noul", instruction: "Is it late?" } }, "late: instruction is unknown (did you mean instructions?)"],
  [
    "critera of a yes/no question, which needs none",
    { late: { ...noul, critera: { true: "after noon" } } },
    "late: critera is unknown (did you mean criteria?)",
  ],
  [
    "options for criteria",
    { route: { type: "choice", instructions: "Which?", options: { a: null, b: null } } },
    "route: options is unknown (did you mean criteria?)",
  ],
  [
    "labels as an array",
    { route: { type: "choice", instructions: "Which?", labels: ["a", "b"] } },
    `route: labels is unknown (did you mean criteria?)${MORE(1)}`,
  ],
  [
    "choices for criteria",
    { route: { type: "choice", instructions: "Which?", choices: { a: null, b: null } } },
    "route: choices is unknown (did you mean criteria?)",
  ],
  [
    "question for instructions",
    { late: { type: "noul", question: "Is it late?" } },
    "late: question is unknown (did you mean instructions?)",
  ],
  [
    "prompt for instructions",
    { route: { type: "choice", prompt: "Which?", criteria: { a: null, b: null } } },
    "route: prompt is unknown (did you mean instructions?)",
  ],
  ["text for instructions", { late: { type: "noul", text: "Is it late?" } }, "late: text is unknown (did you mean instructions?)"],
  [
    "description for instructions",
    { late: { type: "noul", description: "Is it late?" } },
    "late: description is unknown (did you mean instructions?)",
  ],
  ["no instructions", { route: { type: "choice", criteria: { a: null, b: null } } }, `route: instructions is missing: it must be ${TEXT}`],
  [
    "a function as instructions",
    { route: { ...choice, instructions: () => "Which?" } },
    `route: instructions must be ${TEXT}, but is a function`,
  ],
  [
    "a question called boolean",
    { late: { type: "boolean", instructions: "Is it late?" } },
    `late: type must be ${TYPES}, but is "boolean" (did you mean "noul"?)`,
  ],
  [
    "a question called yesno",
    { late: { type: "yesno", instructions: "Is it late?" } },
    `late: type must be ${TYPES}, but is "yesno" (did you mean "noul"?)`,
  ],
  [
    "a question called bool",
    { late: { type: "bool", instructions: "Is it late?" } },
    `late: type must be ${TYPES}, but is "bool" (did you mean "noul"?)`,
  ],
  [
    "a question called classification",
    { route: { ...choice, type: "classification" } },
    `route: type must be ${TYPES}, but is "classification" (did you mean "choice"?)`,
  ],
  [
    "a question called rating",
    { mood: { ...score, type: "rating" } },
    `mood: type must be ${TYPES}, but is "rating" (did you mean "score"?)`,
  ],
  ...["yes/no", "yes-no", "y/n", "Yes/No"].map((type): [string, unknown, string] => [
    `a question called ${type}`,
    { late: { ...noul, type } },
    `late: type must be ${TYPES}, but is "${type}" (did you mean "noul"?)`,
  ]),
  ["a misspelt type", { late: { ...noul, type: "nuol" } }, `late: type must be ${TYPES}, but is "nuol" (did you mean "noul"?)`],
  ["a type that there is not", { names: { ...noul, type: "extraction" } }, `names: type must be ${TYPES}, but is "extraction"`],
  ["no type", { late: { instructions: "Is it late?" } }, `late: type is missing: it must be ${TYPES}`],
  ["yes and no as criteria", { late: { ...noul, criteria: { yes: "after noon" } } }, "late: criteria.yes is unknown (did you mean true?)"],
  [
    "a yes/no question without a question",
    { late: { type: "noul" } },
    "late: instructions is missing: without instructions a noul needs criteria that say when it is yes or no",
  ],
  [
    "a text as criteria of a yes/no question",
    { late: { ...noul, criteria: "after noon" } },
    'late: criteria must be an object with true, false or both, such as { "true": "asks for money back" }, or null, but is a string of 10 characters',
  ],
  [
    "levels as a map",
    { mood: { ...score, criteria: { low: "calm", high: "angry" } } },
    'mood: criteria must be an array of level descriptions, low to high, such as ["calm", "angry"], but is an object with 2 keys',
  ],
  [
    "the ends of a scale for its levels",
    { mood: { type: "score", instructions: "How upset?", min: 1, max: 5 } },
    'mood: criteria is missing: it must be an array of level descriptions, low to high, such as ["calm", "angry"]',
  ],
  [
    "one level",
    { mood: { ...score, criteria: ["calm"] } },
    'mood: criteria must hold at least 2 levels, such as ["calm", "angry"], but holds 1',
  ],
  ["a level that is null", { mood: { ...score, criteria: ["calm", null] } }, `mood: criteria[1] must be ${TEXT}, but is null`],
  ["numbers as levels", { mood: { ...score, criteria: [1, 2] } }, `mood: criteria[0] must be ${TEXT}, but is a number${MORE(1)}`],
  [
    "a question that is a text",
    { late: "Is it late?" },
    `late must be a question, such as ${A_QUESTION}, but is a string of 11 characters`,
  ],
  [
    "questions as an array",
    [noul],
    `questions must be an object that maps ids to questions, such as { "angry": ${A_QUESTION} }, but is an array of 1`,
  ],
  ["no questions", {}, `questions must hold at least one question, such as { "angry": ${A_QUESTION} }`],
  [
    "the second of two questions, with an id that is a sentence",
    { late: noul, "Where is Ann?": { ...choice, criteria: { a: null } } },
    `question 2 of 2: criteria must hold at least 2 options, such as ${A_CHOICE}, but holds 1`,
  ],
];

const REQUESTS: [what: string, request: unknown, message: string][] = [
  ["text for state", { text: "It rained.", questions: { late: noul } }, "text is unknown (did you mean state?)"],
  ["input for state", { input: "It rained.", questions: { late: noul } }, "input is unknown (did you mean state?)"],
  ["question for questions", { state: "It rained.", question: { late: noul } }, "question is unknown (did you mean questions?)"],
  ["no state", { questions: { late: noul } }, `state is missing: it must be ${TEXT}`],
  ["a number as state", { state: 5, questions: { late: noul } }, `state must be ${TEXT}, but is a number`],
  ["true as state", { state: true, questions: { late: noul } }, `state must be ${TEXT}, but is a boolean`],
  [
    "a state that was not awaited",
    { state: Promise.resolve("It rained."), questions: { late: noul } },
    `state must be ${TEXT}, but is an object of class Promise`,
  ],
  [
    "a date in the state",
    { state: { sent: new Date(0) }, questions: { late: noul } },
    "state.sent must be a JSON value, but is an object of class Date: use its toISOString()",
  ],
  [
    "a signal in the request",
    { state: "", questions: { late: noul }, signal: AbortSignal.timeout(1) },
    "signal belongs in the second argument: decide(request, { signal })",
  ],
  [
    "maxInputTokens in the request",
    { state: "", questions: { late: noul }, maxInputTokens: 100 },
    "maxInputTokens belongs in the second argument: decide(request, { maxInputTokens })",
  ],
  [
    "a date deep in the state",
    { state: { order: { lines: [{ placed: new Date(0) }] } }, questions: { late: noul } },
    "state.order.lines[0].placed must be a JSON value, but is an object of class Date: use its toISOString()",
  ],
  [
    "a date under a key that is a sentence",
    { state: { order: { "when Ann ordered": { at: new Date(0) } } }, questions: { late: noul } },
    "a value in state.order must be a JSON value, but is an object of class Date: use its toISOString()",
  ],
  [
    "a date below many keys",
    { state: [[[[[[[[{ at: new Date(0) }]]]]]]]], questions: { late: noul } },
    "a value in state[0][0][0][0][0][0][0][0] must be a JSON value, but is an object of class Date: use its toISOString()",
  ],
  ["NaN in the state", { state: { total: NaN }, questions: { late: noul } }, "state.total must be a JSON value, but is NaN"],
  ["a function in the state", { state: { f: () => 1 }, questions: { late: noul } }, "state.f must be a JSON value, but is a function"],
  [
    "bytes as state",
    { state: Buffer.from("It rained."), questions: { late: noul } },
    "state must be a JSON value, but is an object of class Uint8Array: give its text",
  ],
  [
    "bytes in the state",
    { state: { mail: new Uint8Array(3) }, questions: { late: noul } },
    "state.mail must be a JSON value, but is an object of class Uint8Array: give its text",
  ],
  [
    "a date in instructions",
    { state: "", questions: { late: { type: "noul", instructions: { after: [new Date(0)] } } } },
    "late: a value in instructions must be a JSON value, but is an object of class Date: use its toISOString()",
  ],
  [
    "a date in an option's description",
    { state: "", questions: { route: { ...choice, criteria: { a: { from: new Date(0) }, b: null } } } },
    "route: a value in criteria.a must be a JSON value, but is an object of class Date: use its toISOString()",
  ],
  ["message for state", { message: "It rained.", questions: { late: noul } }, "message is unknown (did you mean state?)"],
  ["prompt for state", { prompt: "It rained.", questions: { late: noul } }, "prompt is unknown (did you mean state?)"],
  ["a text alone", "It rained.", "it must be an object with state and questions, but is a string of 10 characters"],
  ["null as model", { model: null, state: "", questions: { late: noul } }, 'model must be the id of a model, or "latest", but is null'],
];

const CALLS: [what: string, options: unknown, message: string][] = [
  ["a misspelt option", { sginal: AbortSignal.timeout(1) }, "sginal is unknown (did you mean signal?)"],
  ["an option that there is not", { temperature: 0 }, "temperature is unknown; the nearest name is maxErrorRate"],
  [
    "an object as signal",
    { signal: {} },
    "signal must be an AbortSignal, such as controller.signal or AbortSignal.timeout(5000), but is an object with 0 keys",
  ],
  [
    "a controller as signal",
    { signal: new AbortController() },
    "signal must be an AbortSignal, such as controller.signal or AbortSignal.timeout(5000), but is an object of class AbortController",
  ],
  [
    "a signal as the options",
    AbortSignal.timeout(1),
    "the argument must be an object such as { signal }, but is an object of class AbortSignal",
  ],
  ["an option of createDecider", { threads: 3 }, "threads is an option of createDecider()"],
  ["a text as maxInputTokens", { maxInputTokens: "100" }, "maxInputTokens must be a number, 1 or more, but is a string of 3 characters"],
];

const DEVICES = '"auto", "cpu" or "wasm" on this platform';

const DECIDERS: [what: string, options: unknown, message: string][] = [
  ["thread", { thread: 2 }, "thread is unknown (did you mean threads?)"],
  [
    "two misspelt options",
    { modle: "latest", percision: "fp32" },
    "modle is unknown (did you mean model?); percision is unknown (did you mean precision?)",
  ],
  ["an option whose name is a sentence", { "quick please": 1 }, "an option is unknown; the nearest name is aliases"],
  [
    "an alias of an alias",
    { aliases: { a: "b", b: "latest" } },
    'aliases must be an object of models\' ids by further names, such as { "gpt-6-luna": "latest" }, but is an object with 2 keys',
  ],
  ["no threads", { threads: 0 }, "threads must be a whole number from 1 to 64, but is 0"],
  ["int4", { precision: "int4" }, 'precision must be "int8", "fp16" or "fp32", but is "int4" (did you mean "int8"?)'],
  ["float32", { precision: "float32" }, 'precision must be "int8", "fp16" or "fp32", but is "float32" (did you mean "fp32"?)'],
  ["INT8", { precision: "INT8" }, 'precision must be "int8", "fp16" or "fp32", but is "INT8" (did you mean "int8"?)'],
  ["32 as precision", { precision: 32 }, 'precision must be "int8", "fp16" or "fp32", but is 32'],
  ["a device that there is not", { device: "gpu" }, `device must be ${DEVICES}, but is "gpu"`],
  ["a device whose name is a sentence", { device: "the fast one" }, `device must be ${DEVICES}, but is a string of 12 characters`],
];

const MODELS: [model: string, message: string][] = [
  ["umpire2", 'There is no model "umpire2". Did you mean "umpire-2"? There are: umpire-2, latest, jev-latest.'],
  ["lastest", 'There is no model "lastest". Did you mean "latest"? There are: umpire-2, latest, jev-latest.'],
  ["gpt-5", 'There is no model "gpt-5". There are: umpire-2, latest, jev-latest.'],
  ["the best one", "There is no model of that name (a string of 12 characters). There are: umpire-2, latest, jev-latest."],
];

describe("what people get wrong, and what they are told", () => {
  const decider = sharedDecider;
  const saidTo = async (request: unknown, options?: unknown): Promise<string> =>
    (await decideError(() => decider.decide(request as DecideRequest, options as DecideOptions))).message;

  it.each(QUESTIONS)("%s", async (_, questions, message) => {
    expect(await saidTo({ state: "It rained.", questions })).toBe(`The request is not valid: ${message}.`);
  });

  it.each(REQUESTS)("%s", async (_, request, message) => {
    expect(await saidTo(request)).toBe(`The request is not valid: ${message}.`);
  });

  it.each(CALLS)("decide with %s", async (_, options, message) => {
    expect(await saidTo({ state: "", questions: { late: noul } }, options)).toBe(`The options are not valid: ${message}.`);
  });

  it.each([
    ["the text and the questions apart", "It rained.", "it must be an object with state and questions, but is a string of 10 characters"],
    ["the state and the questions apart", { state: "It rained." }, QUESTIONS_MISSING],
  ])("%s", async (_, request, message) => {
    expect(await saidTo(request, { questions: { late: noul } })).toBe(`The request is not valid: ${message}.`);
  });

  it.each(DECIDERS)("createDecider with %s", async (_, options, message) => {
    const error = await decideError(() => createDecider(options as DeciderOptions));
    expect(error).toMatchObject({ code: "invalid_request", message: `The options are not valid: ${message}.` });
  });

  it("a device of other platforms, when the decider is first used", async () => {
    await using own = createDecider({ device: "webgpu" });
    expect(await decideError(() => own.info())).toMatchObject({
      code: "backend_unavailable",
      message: `device must be ${DEVICES}, but is "webgpu".`,
    });
  });

  it("a folder that does not exist as model", async () => {
    await using own = createDecider({ model: "./nope" });
    expect(await decideError(() => own.info())).toMatchObject({
      code: "model_not_found",
      message: "The folder that the option model names does not exist. Give the path of a model's folder, or the id of a model.",
    });
  });

  it.each(MODELS)("the model %s", async (model, message) => {
    expect(await saidTo({ model, state: "", questions: { late: noul } })).toBe(message);
  });

  it("a huge state", async () => {
    expect(await saidTo({ state: "rain ".repeat(100_000), questions: { late: noul } })).toBe(
      "The request is too long: state has 500000 characters, more than the model's limit of 262144. Nothing is ever cut, so shorten it.",
    );
  });

  it("instructions that are too long", async () => {
    expect(await saidTo({ state: "", questions: { late: { ...noul, instructions: "late ".repeat(300) } } })).toBe(
      "The request is too long: late: instructions has 300 tokens, more than the model's limit of 254. Nothing is ever cut, so shorten it.",
    );
  });

  it("every mistake at once, each at its place", async () => {
    const route = { type: "choice", question: "Which?", options: ["a", "b"] };
    const { issues } = await decideError(() => decider.decide({ state: "", questions: { route } } as unknown as DecideRequest));
    expect(issues?.map(({ loc, msg }) => `${loc.join(".")} ${msg}`)).toEqual([
      "body.questions.route.question is unknown (did you mean instructions?)",
      "body.questions.route.options is unknown (did you mean criteria?)",
      `body.questions.route.options must be ${OPTIONS}, such as { "a": null, "b": null }, but is an array of 2`,
    ]);
  });

  it("nothing where a field is tomorrow's", async () => {
    const tomorrow = { state: "It rained.", stream: true, questions: { late: { ...noul, weight: 3, description: "of the order" } } };
    expect((await decider.decide(tomorrow as DecideRequest)).answers["late"]?.type).toBe("noul");
  });
});
