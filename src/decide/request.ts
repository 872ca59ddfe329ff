import { DecideError } from "../errors.ts";
import type { Location } from "../errors.ts";
import { Field } from "../validation/field.ts";
import { firstOf } from "../validation/invalid.ts";
import { oneOf } from "../validation/rules.ts";
import { isPlainObject, shapeOf } from "../validation/shape.ts";
import { readLevels, readOptions, readText, readYesAndNo } from "./criteria.ts";
import type { Criterion } from "./criteria.ts";
import type { DecideRequest, Question, Questions, Text } from "./types.ts";

/** A question that keeps every rule of the contract, its texts rendered. */
export interface ParsedQuestion {
  readonly id: string;
  readonly type: Question["type"];
  /** "" where a noul has none. */
  readonly instructions: string;
  /** Choice: its options. Noul: "true" and "false", always both. Score: its levels, keys "0" to "n-1". */
  readonly criteria: readonly Criterion[];
}

export interface ParsedRequest {
  readonly model: string | undefined;
  readonly state: string;
  readonly questions: readonly ParsedQuestion[];
}

export interface ParseOptions {
  /** Over HTTP a request names its model; in the library the decider's own is the default. */
  readonly modelRequired?: boolean;
}

/**
 * Any value to a request that keeps the contract.
 * @throws {DecideError} `invalid_request` with every issue, each at its place.
 */
export function parseRequest(value: unknown, { modelRequired = false }: ParseOptions = {}): ParsedRequest {
  const checked = CheckedRequest.parsedOf(value);
  if (checked !== undefined) return checked;
  const body = new Field(value, ["body"]);
  let request: ParsedRequest;
  try {
    request = readRequest(body, modelRequired);
  } catch (cause) {
    // A getter or a proxy of the caller's threw while it was read.
    body.refuse("could not be read: accessing one of its values threw", "not_json");
    throw invalid(body, cause);
  }
  if (body.issues.length > 0) throw invalid(body);
  return request;
}

/**
 * A request that has already been checked. `parseRequest` returns its parsed form, so later changes to the caller's objects have no effect.
 */
export class CheckedRequest implements DecideRequest {
  readonly model: string | undefined;
  readonly state: Text;
  readonly questions: Questions;
  readonly #parsed: ParsedRequest;

  /** @throws {DecideError} as `parseRequest`. */
  constructor(value: unknown, options?: ParseOptions) {
    this.#parsed = parseRequest(value, options);
    // It would not have been parsed if it were anything else.
    const { model, state, questions } = value as DecideRequest;
    this.model = model;
    this.state = state;
    this.questions = questions;
  }

  get parsed(): ParsedRequest {
    return this.#parsed;
  }

  /** Undefined for any other value, an object that merely looks like a checked request included. */
  static parsedOf(value: unknown): ParsedRequest | undefined {
    return typeof value === "object" && value !== null && #parsed in value ? value.#parsed : undefined;
  }
}

function invalid({ issues }: Field, cause?: unknown): DecideError {
  return new DecideError("invalid_request", `The request is not valid: ${firstOf(issues, contractPlace)}.`, { issues, cause });
}

const CONTRACT_WORDS = new Set<string | number>(["type", "instructions", "criteria", "true", "false"]);

/** Ids and keys are the caller's text, so the message names the place only as far as the contract's own words go. */
function contractPlace(loc: Location): string {
  return loc.filter((part, i) => i < 2 || CONTRACT_WORDS.has(part)).join(".");
}

function readRequest(body: Field, modelRequired: boolean): ParsedRequest {
  if (!isPlainObject(body.value)) {
    body.refuse(`must be an object with state and questions, but is ${shapeOf(body.value)}`, "wrong_type");
    return { model: undefined, state: "", questions: [] };
  }
  return {
    model: readModel(body.get("model"), modelRequired),
    state: readText(body.get("state")),
    questions: readQuestions(body.get("questions")),
  };
}

function readModel(model: Field, isRequired: boolean): string | undefined {
  if (typeof model.value === "string") {
    if (model.value === "") model.refuse("must not be empty", "empty");
    return model.value;
  }
  if (!model.isMissing) model.refuseType("a string");
  else if (isRequired) model.refuse('is missing: name a model, or "latest"', "missing");
  return undefined;
}

function readQuestions(questions: Field): ParsedQuestion[] {
  const entries = questions.entries("an object that maps ids to questions");
  if (isPlainObject(questions.value) && entries.length === 0) questions.refuse("must hold at least one question", "too_few");
  return entries.map(([id, question]) => readQuestion(id, question));
}

/** What each type of question has besides its id and type. */
const READERS: { readonly [Type in Question["type"]]: (question: Field) => Pick<ParsedQuestion, "instructions" | "criteria"> } = {
  choice: (question) => ({ instructions: readText(question.get("instructions")), criteria: readOptions(question.get("criteria")) }),
  noul: readNoul,
  score: (question) => ({ instructions: readText(question.get("instructions")), criteria: readLevels(question.get("criteria")) }),
};

function readQuestion(id: string, question: Field): ParsedQuestion {
  if (id === "") question.refuse("has an empty id", "empty");
  if (!isPlainObject(question.value)) {
    question.refuse(`must be a question object, but is ${shapeOf(question.value)}`, "wrong_type");
    return { id, type: "noul", instructions: "", criteria: [] };
  }
  const type = question.get("type");
  if (isQuestionType(type.value)) return { id, type: type.value, ...READERS[type.value](question) };
  const { words } = oneOf(QUESTION_TYPES);
  if (typeof type.value === "string") type.refuse(`must be ${words}, but is another string`, "unknown_value");
  else type.refuseType(words);
  return { id, type: "noul", instructions: "", criteria: [] };
}

export const QUESTION_TYPES = Object.keys(READERS) as readonly Question["type"][];

function isQuestionType(value: unknown): value is Question["type"] {
  return typeof value === "string" && Object.hasOwn(READERS, value);
}

/** A yes/no question needs instructions, criteria or both. */
function readNoul(question: Field): Pick<ParsedQuestion, "instructions" | "criteria"> {
  const given = question.get("criteria");
  const criteria = readYesAndNo(given);
  const instructions = question.get("instructions");
  if (instructions.value !== undefined && instructions.value !== null) return { instructions: readText(instructions), criteria };
  const mayBeEmpty = given.value === undefined || given.value === null || isPlainObject(given.value);
  if (mayBeEmpty && criteria.every((criterion) => criterion.given === null))
    instructions.refuse("is missing: without instructions a noul needs criteria that say when it is yes or no", "missing");
  return { instructions: "", criteria };
}
