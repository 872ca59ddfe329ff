import { DecideError, type Location } from "../../errors.ts";
import type { Answer, ChoiceAnswer, DecideResponse, NoulAnswer, ScoreAnswer } from "../../library/decide/types.ts";
import { checkCount, MAX_NAME_CHARACTERS } from "../../library/decide/questions/question-kind.ts";
import { MAX_LEVELS } from "../../library/decide/questions/score.ts";
import { MAX_OPTIONS } from "../../library/decide/questions/choice.ts";
import { elementAt } from "../../library/validation/expect.ts";
import { filledString, firstOf, oneOf, shownName, type Field, type Rule } from "../../library/validation/field.ts";

/** OpenAI's Decisions API (`POST /v1/decisions`), as the package `openai` 7.59 types it, read as a request of ours and answered in its own shape. */

/** A request of another wire. */
export interface ForeignRequest {
  /** As the body of a request of ours, not yet checked: what is wrong with it beyond this wire's own rules is found there. */
  readonly value: unknown;
  readonly toReply: (response: DecideResponse) => object;
  /** The answer to one question, by its index. */
  readonly toAnswer: (question: number, answer: Answer) => object;
  /** How this wire names a criterion of ours: the value of a choice. */
  readonly wireValue: (question: number, key: string) => string | boolean | undefined;
  /** The names that the caller gave to the questions. */
  readonly names: readonly (string | null)[];
  /** The place of an issue in the caller's own body. */
  readonly toCallersLoc: (loc: Location) => Location;
}

/** Of one request, as of OpenAI's. */
const MAX_QUESTIONS = 400;

/** @throws {DecideError} `invalid_request` with every issue against this wire's rules, and those that the body had before. */
export function readOpenAiRequest(body: Field): ForeignRequest {
  const [model, state, asked] = [body.get("model"), readInput(body.get("input")), readQuestions(body.get("questions"))];
  model.keeps(filledString('the id of a model, or "latest"'));
  const { issues } = body;
  if (issues.length > 0) {
    throw new DecideError("invalid_request", `The request is not valid: ${firstOf(issues, (loc) => loc.slice(1).join("."))}.`, { issues });
  }
  const toAnswer = (i: number, answer: Answer): object => {
    const own = Object.entries(answer).filter(([field]) => field.startsWith("x_"));
    const { name, toAnswer: inWire } = elementAt(asked, i, "question");
    return { ...inWire(answer), name, ...Object.fromEntries(own) };
  };
  return {
    value: { model: model.value, state, questions: Object.fromEntries(asked.map(({ question }, i) => [i, question])) },
    toReply: ({ model, answers, usage }) => ({
      model,
      answers: asked.map((_, i) => toAnswer(i, answers[i] as Answer)),
      usage: {
        input_tokens: usage.input_tokens,
        input_tokens_details: { cached_tokens: usage.x_cached_tokens ?? 0, cache_write_tokens: 0 },
        output_tokens: usage.output_tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input_tokens + usage.output_tokens,
      },
    }),
    toAnswer,
    wireValue: (i, key) => asked[i]?.wireValue?.(key),
    names: asked.map(({ name }) => name),
    toCallersLoc: ([start, field, id, part, criterion, ...rest]) => {
      if (field === "state") return [start ?? "body", "input"];
      const question = field === "questions" ? asked[Number(id)] : undefined;
      if (question === undefined) return [start, field].filter((step) => step !== undefined);
      const inside = part === "criteria" ? [question.criteria, ...(criterion === undefined ? [] : [question.indexOf(criterion)])] : [part];
      return [start, field, Number(id), ...inside, ...rest].filter((step) => step !== undefined);
    },
  };
}

interface Asked {
  readonly name: string | null;
  /** In our form. */
  readonly question: object;
  /** This wire's name of its criteria. */
  readonly criteria: "choices" | "levels";
  readonly indexOf: (criterion: string | number) => number;
  readonly toAnswer: (answer: Answer) => object;
  readonly wireValue?: (key: string) => string | boolean | undefined;
}

const KINDS: { readonly [type: string]: (question: Field) => Omit<Asked, "name"> } = {
  predicate: readPredicate,
  choice: readChoice,
  score: readScore,
};

function readQuestions(questions: Field): readonly Asked[] {
  const items = questions.items("an array of questions");
  if (Array.isArray(questions.value) && items.length === 0) questions.refuse("must hold at least one question", "too_few");
  if (items.length > MAX_QUESTIONS) questions.refuse(`must hold at most ${MAX_QUESTIONS} questions, but holds ${items.length}`, "too_many");
  return items.slice(0, MAX_QUESTIONS).flatMap((question) => {
    if (!question.isObject("a question: an object with type and instructions")) return [];
    const [type, name] = [question.get("type"), question.get("name")];
    const read = type.keeps(A_KIND) ? KINDS[String(type.value)] : undefined;
    name.mayKeep(A_STRING);
    return read ? [{ ...read(question), name: typeof name.value === "string" ? name.value : null }] : [];
  });
}

const named = (names: readonly string[]): Rule => ({ ...oneOf(names), shown: shownName });
const A_KIND = named(Object.keys(KINDS));
const A_STRING: Rule = { isKept: (value) => typeof value === "string", words: "a string" };
const A_TEXT = filledString("a string, not empty");

function readPredicate(question: Field): Omit<Asked, "name"> {
  return {
    question: { type: "noul", instructions: readInstructions(question) },
    criteria: "choices",
    indexOf: () => 0,
    toAnswer: (answer) => ({ type: "predicate", probability: (answer as NoulAnswer).noul }),
  };
}

function readChoice(question: Field): Omit<Asked, "name"> {
  const options = new Map<string, { readonly value: string | boolean; readonly description: string | null }>();
  const known = new Set<string | boolean>();
  const choices = question.get("choices");
  const items = choices.items("an array of choices, each with a value");
  if (Array.isArray(choices.value)) checkCount(choices, items.length, MAX_OPTIONS, "choices", '[{ "value": "yes" }, { "value": "no" }]');
  for (const choice of items.slice(0, MAX_OPTIONS)) {
    const value = readValue(choice);
    if (value === undefined) continue;
    if (known.has(value)) choice.get("value").refuse("is the value of an earlier choice, too", "unknown_value");
    known.add(value);
    // A string and a boolean of the same text are two choices. A blank tells them apart, which the model does not read.
    let key = String(value);
    while (options.has(key)) key += " ";
    options.set(key, { value, description: readDescription(choice) });
  }
  return {
    question: {
      type: "choice",
      instructions: readInstructions(question),
      criteria: Object.fromEntries([...options].map(([key, { description }]) => [key, description])),
    },
    criteria: "choices",
    indexOf: (key) => [...options.keys()].indexOf(String(key)),
    wireValue: (key) => options.get(key)?.value,
    toAnswer: (answer) => {
      const { choice, confidence, probabilities } = answer as ChoiceAnswer;
      return {
        type: "choice",
        choice: options.get(choice)?.value,
        confidence,
        probabilities: [...options].map(([key, { value }]) => ({ value, probability: probabilities[key] })),
      };
    },
  };
}

function readScore(question: Field): Omit<Asked, "name"> {
  const field = question.get("levels");
  const items = field.items("an array of levels, each with a label, from low to high");
  if (Array.isArray(field.value)) checkCount(field, items.length, MAX_LEVELS, "levels", '[{ "label": "low" }, { "label": "high" }]');
  const levels = items.slice(0, MAX_LEVELS).map((level) => {
    if (!level.isObject("a level: an object with a label")) return { label: "", description: null };
    const label = level.get("label");
    label.keeps(A_TEXT);
    return { label: textOf(label), description: readDescription(level) };
  });
  return {
    question: {
      type: "score",
      instructions: readInstructions(question),
      criteria: levels.map(({ label, description }) => (description === null ? label : { [label]: description })),
    },
    criteria: "levels",
    indexOf: Number,
    toAnswer: (answer) => {
      const { score, confidence, probabilities } = answer as ScoreAnswer;
      return {
        type: "score",
        score,
        confidence,
        probabilities: levels.map(({ label }, value) => ({ label, value, probability: probabilities[value] })),
      };
    },
  };
}

function readValue(choice: Field): string | boolean | undefined {
  if (!choice.isObject("a choice: an object with a value")) return undefined;
  const field = choice.get("value");
  if (typeof field.value === "boolean") return field.value;
  return field.keeps(A_VALUE) ? textOf(field) : undefined;
}

const A_VALUE: Rule = {
  isKept: (value) => typeof value === "string" && value !== "" && value.length <= MAX_NAME_CHARACTERS,
  words: `a boolean, or a string of 1 to ${MAX_NAME_CHARACTERS.toLocaleString("en-US")} characters`,
};

function readDescription(of: Field): string | null {
  const description = of.get("description");
  if (typeof description.value === "string") return description.value;
  if (!description.isMissing && description.value !== null) description.refuseType("a string");
  return null;
}

/** A string; "" of what is refused. Not `String()`: an object may have a `toString` of its own, which is no function. */
function textOf({ value }: Field): string {
  return typeof value === "string" ? value : "";
}

function readInstructions(question: Field): unknown {
  const instructions = question.get("instructions");
  return typeof instructions.value === "string" ? instructions.value : readParts(instructions, TEXT_OR_JSON);
}

const TEXT = named(["input_text"]);
const TEXT_OR_JSON = named(["input_text", "input_json"]);

/** Types of parts that each role may have. */
const PARTS: { readonly [role: string]: Rule } = {
  user: TEXT_OR_JSON,
  developer: TEXT,
  system: TEXT,
  assistant: named(["output_text", "refusal"]),
};
const A_ROLE = named(Object.keys(PARTS));

/** The field of each part that holds what is read. */
const READ: { readonly [type: string]: string } = { input_text: "text", output_text: "text", refusal: "refusal", input_json: "data" };

/** A text, a value, or a list of both: what a string or an array of parts says. */
function readParts(content: Field, allowed: Rule): unknown {
  if (typeof content.value === "string") return content.value;
  const parts = content.items("a string or an array of parts");
  const read = parts.flatMap((part): unknown[] => {
    if (!part.isObject("a part: an object with a type")) return [];
    const type = part.get("type");
    if (type.value === "input_image" || type.value === "input_file") {
      const what = type.value === "input_image" ? "image" : "file";
      type.refuse(
        `is "${type.value}": the model reads text alone, so leave the ${what} out, or say in words what it shows`,
        "unknown_value",
      );
      return [];
    }
    if (!type.keeps(allowed)) return [];
    const inside = part.get(READ[String(type.value)] ?? "text");
    if (type.value !== "input_json") inside.keeps(A_STRING);
    else if (typeof inside.value !== "object" || inside.value === null) inside.refuseType("an object or an array");
    return [inside.value];
  });
  if (read.every((one) => typeof one === "string")) return read.join("\n");
  return read.length === 1 ? read[0] : read;
}

/** The input as a state: a text as it is, and of several turns a list that says who spoke, or which tool was called. */
function readInput(input: Field): unknown {
  if (typeof input.value === "string") return input.value;
  const items = input.items("a string, or an array of messages and tool calls");
  if (Array.isArray(input.value) && items.length === 0) input.refuse("must hold at least one message", "too_few");
  const calls = new Map<unknown, string>();
  const turns = items.map((item) => readItem(item, calls));
  const [only] = turns;
  return only && turns.length === 1 && "user" in only ? only["user"] : turns;
}

const AN_ITEM = named(["message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"]);

/** @param calls names of the tools that were called so far, by the call's id */
function readItem(item: Field, calls: Map<unknown, string>): { readonly [said: string]: unknown } {
  if (!item.isObject("a message or a tool call: an object")) return {};
  const type = item.get("type");
  switch (type.value) {
    case undefined:
    case "message": {
      const role = item.get("role");
      const allowed = role.keeps(A_ROLE) ? PARTS[String(role.value)] : undefined;
      return allowed ? { [String(role.value)]: readParts(item.get("content"), allowed) } : {};
    }
    case "function_call":
    case "custom_tool_call": {
      const [id, name, namespace] = [item.get("call_id"), item.get("name"), item.get("namespace")];
      const given = item.get(type.value === "function_call" ? "arguments" : "input");
      id.keeps(A_TEXT);
      name.keeps(A_TEXT);
      given.keeps(A_STRING);
      const tool = typeof namespace.value === "string" ? `${namespace.value}.${textOf(name)}` : textOf(name);
      calls.set(id.value, tool);
      return { [`call of ${tool}`]: given.value };
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const id = item.get("call_id");
      const tool = calls.get(id.value);
      if (id.keeps(A_TEXT) && tool === undefined) id.refuse("names no call before it", "unknown_value");
      return { [`output of ${tool}`]: readParts(item.get("output"), TEXT) };
    }
    default:
      type.keeps(AN_ITEM);
      return {};
  }
}
