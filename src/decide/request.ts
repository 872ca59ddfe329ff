import { DecideError } from "../errors.ts";
import type { Issue, Location } from "../errors.ts";
import { renderText } from "./text.ts";
import { isPlainObject, shapeOf } from "../validation/shape.ts";
import type { Description } from "./types.ts";

const MAX_OPTIONS = 255;
const MAX_LEVELS = 10;

/** A criterion: its key, its description as text (null: none), and the description as the caller gave it. */
export interface Criterion {
  readonly key: string;
  readonly description: string | null;
  readonly given: Description;
}

/** A question that keeps every rule of the contract, its texts rendered. */
export interface ParsedQuestion {
  readonly id: string;
  readonly type: "choice" | "noul" | "score";
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
 * @throws {DecideError} `invalid_request` with every issue there is, each at its place.
 */
export function parseRequest(value: unknown, { modelRequired = false }: ParseOptions = {}): ParsedRequest {
  const issues: Issue[] = [];
  let request: ParsedRequest;
  try {
    request = readRequest(value, modelRequired, issues);
  } catch (cause) {
    // A getter or a proxy of the caller's threw while it was read.
    issues.push({ loc: ["body"], msg: "could not be read: accessing one of its values threw", type: "not_json" });
    throw invalid(issues, cause);
  }
  if (issues.length > 0) throw invalid(issues);
  return request;
}

function invalid(issues: readonly Issue[], cause?: unknown): DecideError {
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more: see issues)` : "";
  // Ids and keys are the caller's text, so the message names the place only as far as the contract's own words go.
  const place = first?.loc.filter((part, i) => i < 2 || CONTRACT_WORDS.has(part)).join(".");
  return new DecideError("invalid_request", `The request is not valid: ${place} ${first?.msg}${more}.`, { issues, cause });
}

const CONTRACT_WORDS = new Set<string | number>(["type", "instructions", "criteria", "true", "false"]);

function readRequest(value: unknown, modelRequired: boolean, issues: Issue[]): ParsedRequest {
  if (!isPlainObject(value)) {
    issues.push({ loc: ["body"], msg: `must be an object with state and questions, but is ${shapeOf(value)}`, type: "wrong_type" });
    return { model: undefined, state: "", questions: [] };
  }
  return {
    model: readModel(value["model"], modelRequired, issues),
    state: readText(value["state"], ["body", "state"], issues),
    questions: readQuestions(value["questions"], issues),
  };
}

function readModel(value: unknown, required: boolean, issues: Issue[]): string | undefined {
  const loc = ["body", "model"];
  if (value === undefined) {
    if (required) issues.push({ loc, msg: 'is missing: name a model, or "latest"', type: "missing" });
  } else if (typeof value !== "string") issues.push({ loc, msg: `must be a string, but is ${shapeOf(value)}`, type: "wrong_type" });
  else if (value === "") issues.push({ loc, msg: "must not be empty", type: "empty" });
  else return value;
  return undefined;
}

function readQuestions(value: unknown, issues: Issue[]): ParsedQuestion[] {
  const loc = ["body", "questions"];
  if (value === undefined) issues.push({ loc, msg: "is missing", type: "missing" });
  else if (!isPlainObject(value)) {
    issues.push({ loc, msg: `must be an object that maps ids to questions, but is ${shapeOf(value)}`, type: "wrong_type" });
  } else {
    const entries = Object.entries(value);
    if (entries.length === 0) issues.push({ loc, msg: "must hold at least one question", type: "too_few" });
    return entries.map(([id, question]) => readQuestion(id, question, [...loc, id], issues));
  }
  return [];
}

function readQuestion(id: string, value: unknown, loc: Location, issues: Issue[]): ParsedQuestion {
  const question = { id, type: "noul" as const, instructions: "", criteria: [] };
  if (id === "") issues.push({ loc, msg: "has an empty id", type: "empty" });
  if (!isPlainObject(value)) {
    issues.push({ loc, msg: `must be a question object, but is ${shapeOf(value)}`, type: "wrong_type" });
    return question;
  }
  const { type, instructions, criteria } = value;
  const at = (name: string): Location => [...loc, name];
  switch (type) {
    case "choice":
      return {
        id,
        type,
        instructions: readText(instructions, at("instructions"), issues),
        criteria: readOptions(criteria, at("criteria"), issues),
      };
    case "score":
      return {
        id,
        type,
        instructions: readText(instructions, at("instructions"), issues),
        criteria: readLevels(criteria, at("criteria"), issues),
      };
    case "noul": {
      const asked = instructions !== undefined && instructions !== null;
      const yesAndNo = readYesAndNo(criteria, at("criteria"), issues);
      if (
        !asked &&
        yesAndNo.every(({ given }) => given === null) &&
        (criteria === undefined || criteria === null || isPlainObject(criteria))
      ) {
        issues.push({
          loc: at("instructions"),
          msg: "is missing: without instructions a noul needs criteria that say when it is yes or no",
          type: "missing",
        });
      }
      return { id, type, instructions: asked ? readText(instructions, at("instructions"), issues) : "", criteria: yesAndNo };
    }
    default: {
      const msg =
        type === undefined
          ? "is missing"
          : `must be "choice", "noul" or "score", but is ${typeof type === "string" ? "another string" : shapeOf(type)}`;
      issues.push({
        loc: at("type"),
        msg,
        type: type === undefined ? "missing" : typeof type === "string" ? "unknown_value" : "wrong_type",
      });
      return question;
    }
  }
}

/** Required text: string, object or array. */
function readText(value: unknown, loc: Location, issues: Issue[]): string {
  if (value === undefined) issues.push({ loc, msg: "is missing", type: "missing" });
  else if (typeof value === "string" || Array.isArray(value) || isPlainObject(value)) return renderText(value, loc, issues);
  else issues.push({ loc, msg: `must be a string, an object or an array, but is ${shapeOf(value)}`, type: "wrong_type" });
  return "";
}

function readCriterion(key: string, value: unknown, loc: Location, issues: Issue[]): Criterion {
  if (value === null) return { key, description: null, given: null };
  if (value === undefined || !(typeof value === "string" || Array.isArray(value) || isPlainObject(value))) {
    issues.push({ loc, msg: `must be a description (string, object, array or null), but is ${shapeOf(value)}`, type: "wrong_type" });
    return { key, description: null, given: null };
  }
  return { key, description: renderText(value, loc, issues), given: value as Description };
}

function readOptions(value: unknown, loc: Location, issues: Issue[]): Criterion[] {
  if (value === undefined) issues.push({ loc, msg: "is missing", type: "missing" });
  else if (!isPlainObject(value)) {
    issues.push({ loc, msg: `must be an object that maps option keys to descriptions, but is ${shapeOf(value)}`, type: "wrong_type" });
  } else {
    const entries = Object.entries(value);
    checkCount(entries.length, 2, MAX_OPTIONS, "options", loc, issues);
    return entries.map(([key, description]) => {
      if (key === "") issues.push({ loc: [...loc, key], msg: "has an empty key", type: "empty" });
      return readCriterion(key, description, [...loc, key], issues);
    });
  }
  return [];
}

function readLevels(value: unknown, loc: Location, issues: Issue[]): Criterion[] {
  if (value === undefined) issues.push({ loc, msg: "is missing", type: "missing" });
  else if (!Array.isArray(value)) {
    issues.push({ loc, msg: `must be an array of level descriptions, low to high, but is ${shapeOf(value)}`, type: "wrong_type" });
  } else {
    checkCount(value.length, 2, MAX_LEVELS, "levels", loc, issues);
    // Levels beyond the last that may be there need no complaint of their own. Array.from, unlike map, also visits the holes of a sparse array.
    return Array.from((value as unknown[]).slice(0, MAX_LEVELS), (level, i) => readCriterion(String(i), level, [...loc, i], issues));
  }
  return [];
}

function readYesAndNo(value: unknown, loc: Location, issues: Issue[]): Criterion[] {
  const none = ["true", "false"].map((key) => ({ key, description: null, given: null }));
  if (value === undefined || value === null) return none;
  if (!isPlainObject(value)) {
    issues.push({ loc, msg: `must be an object with true, false or both, or null, but is ${shapeOf(value)}`, type: "wrong_type" });
    return none;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) issues.push({ loc, msg: "must hold true, false or both; leave it out for neither", type: "too_few" });
  for (const key of keys) {
    if (key !== "true" && key !== "false")
      issues.push({ loc: [...loc, key], msg: "is not a criterion of a noul: only true and false are", type: "unknown_field" });
  }
  return ["true", "false"].map((key) => readCriterion(key, value[key] ?? null, [...loc, key], issues));
}

function checkCount(count: number, min: number, max: number, what: string, loc: Location, issues: Issue[]): void {
  if (count < min) issues.push({ loc, msg: `must hold at least ${min} ${what}, but holds ${count}`, type: "too_few" });
  if (count > max) issues.push({ loc, msg: `must hold at most ${max} ${what}, but holds ${count}`, type: "too_many" });
}
