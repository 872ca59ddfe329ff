import { DecideError, type Issue, type Location } from "../../errors.ts";
import { elementAt } from "../validation/expect.ts";
import { Field, firstOf, isPlain, isPlainObject, oneOf, refuseName } from "../validation/field.ts";
import { fieldMeant, isMeant, namedFields, otherNames, readText, type ParsedQuestion } from "./questions/question-kind.ts";
import { QUESTION_KINDS, QUESTION_TYPES } from "./questions/question-kinds.ts";
import type { DecideOptions, Question } from "./types.ts";

export type { Criterion, ParsedQuestion } from "./questions/question-kind.ts";

export interface ParsedRequest {
  readonly model: string | undefined;
  readonly state: string;
  readonly questions: readonly ParsedQuestion[];
}

interface ParseOptions {
  /** Over HTTP a request names its model, and options of the library's calls are fields like any other; in the library the decider's own is the default. */
  readonly modelRequired?: boolean;
  /** Issues of other fields, which the caller reads. */
  readonly issues?: readonly Issue[];
}

/**
 * Any value to a request that keeps the contract.
 * @throws {DecideError} `invalid_request` with every issue, each at its place.
 */
export function parseRequest(value: unknown, { modelRequired = false, issues = [] }: ParseOptions = {}): ParsedRequest {
  const body = new Field(value, ["body"], [...issues]);
  let said: string;
  try {
    const request = readRequest(body, modelRequired);
    if (body.issues.length === 0) return request;
    said = firstOf(body.issues, (loc) => (loc[1] === "questions" || loc.length < 3 ? issuePath(value, loc) : statePath(loc)));
  } catch (cause) {
    // A getter or a proxy of the caller's threw while it was read.
    body.refuse("could not be read: accessing one of its values threw", "not_json");
    const last = firstOf(body.issues.slice(-1), () => "it");
    throw invalid(body, last, cause);
  }
  throw invalid(body, said);
}

/**
 * A state alone, as the model reads it.
 * @throws {DecideError} `invalid_request` with every issue, each at its place in a request.
 */
export function parseState(value: unknown): string {
  const questions = { none: { type: "noul", instructions: "None?" } };
  return parseRequest({ state: value, questions }).state;
}

function invalid({ issues }: Field, said: string, cause?: unknown): DecideError {
  return new DecideError("invalid_request", `The request is not valid: ${said}.`, { issues, cause });
}

/** The fields of a request. Others are ignored, so that tomorrow's clients still work, unless they stand where a field is missing. */
const REQUEST_FIELDS = ["model", "state", "questions"];

/** Options of `decide` that a caller may put into the request, where they would do nothing. Over HTTP there are none. */
const CALL_OPTIONS: readonly (keyof DecideOptions)[] = ["signal", "maxInputTokens", "maxErrorRate"];

function readRequest(body: Field, modelRequired: boolean): ParsedRequest {
  if (!body.isObject("an object with state and questions")) return { model: undefined, state: "", questions: [] };
  for (const option of modelRequired ? [] : CALL_OPTIONS) {
    const field = body.get(option);
    if (!field.isMissing) field.refuse(`belongs in the second argument: decide(request, { ${option} })`, "unknown_field");
  }
  return {
    model: readModel(body.get("model"), modelRequired),
    state: readText(requiredField(body, "state")),
    questions: readQuestions(requiredField(body, "questions")),
  };
}

function requiredField(body: Field, name: string): Field {
  const field = body.get(name);
  return field.isMissing ? fieldMeant(body, name, otherNames(body, REQUEST_FIELDS)) : field;
}

function readModel(model: Field, isRequired: boolean): string | undefined {
  if (typeof model.value === "string") {
    if (model.value === "") model.refuse("must not be empty", "empty");
    return model.value;
  }
  if (!model.isMissing || isRequired) model.refuseType('the id of a model, or "latest"');
  return undefined;
}

const A_QUESTION = '{ "type": "noul", "instructions": "Is the customer angry?" }';

/** Questions and criteria that are read of a request that is refused already. What is wrong with more of them helps nobody, and reading holds others up. */
const MAX_READ = 4096;

function readQuestions(questions: Field): ParsedQuestion[] {
  const entries = namedFields(questions, `an object that maps ids to questions, such as { "angry": ${A_QUESTION} }`);
  if (isPlainObject(questions.value) && Object.keys(questions.value).length === 0) {
    questions.refuse(`must hold at least one question, such as { "angry": ${A_QUESTION} }`, "too_few");
  }
  const parsed: ParsedQuestion[] = [];
  let read = 0;
  for (const [id, field] of entries) {
    if (read > MAX_READ && questions.issues.length > 0) break;
    const question = readQuestion(id, field);
    read += 1 + question.criteria.length;
    parsed.push(question);
  }
  return parsed;
}

/** The fields of a question. Others are ignored, unless they are nearly called so. */
const QUESTION_FIELDS = ["type", "instructions", "criteria"] as const;

function readQuestion(id: string, question: Field): ParsedQuestion {
  if (id === "") question.refuse("has an empty id", "empty");
  const none = { id, type: "noul", instructions: "", criteria: [] } as const;
  if (!question.isObject(`a question, such as ${A_QUESTION}`)) return none;
  const others = otherNames(question, QUESTION_FIELDS);
  const [type, instructions, criteria] = QUESTION_FIELDS.map((name) => fieldMeant(question, name, others)) as [Field, Field, Field];
  const known = readType(type);
  return known === undefined ? none : { id, type: known, ...QUESTION_KINDS[known].parse({ instructions, criteria }) };
}

/** The type of a question; for another name, with an issue, the type that was probably meant. */
function readType(type: Field): Question["type"] | undefined {
  const { value } = type;
  const { words } = oneOf(QUESTION_TYPES);
  if (typeof value !== "string") {
    type.refuseType(words);
    return undefined;
  }
  const known = QUESTION_TYPES.find((name) => name === value);
  if (known !== undefined) return known;
  const meant = QUESTION_TYPES.find((name) => isMeant(value, name, QUESTION_KINDS[name].aliases));
  refuseName(type, words, meant);
  return meant;
}

/**
 * A question by the rules of requests.
 * @throws {DecideError} `invalid_request` with every issue, at its place from `["question"]` on.
 */
export function parseQuestion(value: unknown): ParsedQuestion {
  const request = { state: "", questions: { question: value } };
  try {
    return elementAt(parseRequest(request).questions, 0, "question");
  } catch (error) {
    if (!DecideError.isInstance(error)) throw error;
    const issues = error.issues ?? [];
    const said = firstOf(issues, (loc) => issuePath(request, loc), error.issuesLeftOut);
    throw new DecideError("invalid_request", `The question is not valid: ${said}.`, {
      cause: error.cause,
      // Without "body" and "questions".
      issues: issues.map((issue) => ({ ...issue, loc: ["question", ...issue.loc.slice(3)] })),
      issuesLeftOut: error.issuesLeftOut,
    });
  }
}

/**
 * The place of an issue of a request, as a message names it: `route: criteria.billing`. Ids and keys that are not plain may be a person's words, and are
 * counted: `question 2 of 3`. For places inside the state there is `statePath`.
 */
function issuePath(request: unknown, [, part, id, field, key, ...inner]: Location): string {
  if (part === undefined) return "it";
  if (id === undefined) return shown(part, request, "field");
  const questions = valueAt(request, part);
  const question = shown(id, questions, "question");
  if (field === undefined) return question;
  const values = valueAt(questions, id);
  const name = shown(field, values, "field");
  if (key === undefined) return `${question}: ${name}`;
  if (field !== "criteria") return `${question}: a value in ${name}`;
  const criterion =
    typeof key === "number" ? `${name}[${key}]` : isPlain(key) ? `${name}.${key}` : shown(key, valueAt(values, field), "option");
  return `${question}: ${inner.length > 0 ? "a value in " : ""}${criterion}`;
}

function shown(key: string | number, holder: unknown, what: string): string {
  if (isPlain(key)) return key;
  const keys = Object.keys(Object(holder) as object);
  return `${what} ${keys.indexOf(String(key)) + 1} of ${keys.length}`;
}

function valueAt(holder: unknown, key: string | number): unknown {
  return (holder as Record<string, unknown> | undefined)?.[key];
}

const MAX_KEYS = 8;

/** The place of an issue inside a state: `state.order.lines[0]`. Names of fields are shown as far as they are plain, and few enough to read. */
function statePath([, state, ...path]: Location): string {
  const end = path.findIndex((key, i) => i >= MAX_KEYS || !isPlain(String(key)));
  const keys = end < 0 ? path : path.slice(0, end);
  return `${end < 0 ? "" : "a value in "}${state}${keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")}`;
}

/**
 * An engine's error in terms of the request; only `input_too_long` is changed. Engines know questions and options by their index, so that no copy of an id
 * or a key, which may be long, crosses a thread with each issue.
 */
export function inRequest(error: unknown, { questions }: { readonly questions: readonly ParsedQuestion[] }): unknown {
  if (!DecideError.isInstance(error) || error.code !== "input_too_long") return error;
  const { issues = [], issuesLeftOut } = error;
  const placed = issues.map((issue) => ({ ...issue, loc: locationOf(issue.loc, questions) }));
  return tooLong(placed, (loc) => pathOf(loc, questions), issuesLeftOut);
}

/** The error for a request that is too long. @param pathOf as of `firstOf` */
export function tooLong(issues: readonly Issue[], pathOf: (loc: Location) => string, issuesLeftOut?: number): DecideError {
  const message = `The request is too long: ${firstOf(issues, pathOf, issuesLeftOut)}. Nothing is ever cut, so shorten it.`;
  return new DecideError("input_too_long", message, { issues, issuesLeftOut });
}

/** The location of a path in the batch, such as `["questions", 0, "options", 2]`, or without the last part for all options. */
function locationOf([part, question, field, option]: Location, questions: readonly ParsedQuestion[]): Location {
  const asked = questions[Number(question)];
  const key = asked?.criteria[Number(option)]?.key;
  return ["body", part, asked?.id, field === "options" ? "criteria" : field, key].filter((name) => name !== undefined);
}

/** As for any issue of a request, of which ids and keys are known here. */
function pathOf(loc: Location, questions: readonly ParsedQuestion[]): string {
  if (loc.length === 1) return "all of it together";
  const asked = questions.map(
    ({ id, criteria }) => [id, { criteria: Object.fromEntries(criteria.map(({ key }) => [key, null])) }] as const,
  );
  return issuePath({ questions: Object.fromEntries(asked) }, loc);
}
