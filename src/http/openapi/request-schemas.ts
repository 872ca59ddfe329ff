import type { ServiceLimits } from "../limits.ts";
import { byType, refTo } from "./schema.ts";
import type { Schema, Schemas } from "./schema.ts";

const NOT_EMPTY = { minLength: 1 };
const TEXT_TYPES = ["string", "object", "array"];

export function requestSchemas(limits: ServiceLimits): Schemas {
  return {
    DecideRequest: {
      description: ["A text and what is to be decided about it. Unknown fields are ignored.", ...bounds(limits)].join(" "),
      type: "object",
      required: ["model", "state", "questions"],
      properties: {
        model: {
          description: "Id of a model, or `latest` (also `jev-latest`).",
          type: "string",
          ...NOT_EMPTY,
          examples: ["latest"],
        },
        state: { description: "What is to be judged.", ...refTo("Text") },
        questions: {
          description: "Questions by an id of the caller's, which the model never sees and the answers come back under. Ids are not empty.",
          type: "object",
          minProperties: 1,
          ...(Number.isFinite(limits.questions) ? { maxProperties: limits.questions } : {}),
          propertyNames: NOT_EMPTY,
          additionalProperties: refTo("Question"),
        },
      },
    },
    Question: byType({ choice: "ChoiceQuestion", noul: "NoulQuestion", score: "ScoreQuestion" }),
    ChoiceQuestion: {
      description: "Picks one of 2 to 255 options.",
      type: "object",
      required: ["type", "instructions", "criteria"],
      properties: {
        type: { const: "choice" },
        instructions: { description: "What is to be decided.", ...refTo("Text") },
        criteria: {
          description: "The options: their keys, each with its description. Keys are not empty.",
          type: "object",
          minProperties: 2,
          maxProperties: 255,
          propertyNames: NOT_EMPTY,
          additionalProperties: refTo("Description"),
        },
      },
    },
    NoulQuestion: noulQuestion(),
    ScoreQuestion: {
      description: "Places the state on a scale of 2 to 10 levels.",
      type: "object",
      required: ["type", "instructions", "criteria"],
      properties: {
        type: { const: "score" },
        instructions: { description: "What is to be rated.", ...refTo("Text") },
        criteria: {
          description: "The levels' descriptions, from low to high: an array, so that their order is certain. A map is refused.",
          type: "array",
          minItems: 2,
          maxItems: 10,
          items: refTo("Description"),
        },
      },
    },
    Text: {
      description: "A text; or an object or array, which is read as `key: value` and `- item` lines in its own order.",
      type: TEXT_TYPES,
    },
    Description: {
      description: "A text as in `Text`; or null, and then the key (of a level: its number) is read.",
      type: [...TEXT_TYPES, "null"],
    },
  };
}

function noulQuestion(): Schema {
  const described = (key: string): Schema => ({ required: [key], properties: { [key]: { type: TEXT_TYPES } } });
  return {
    description: "Yes or no. Needs instructions, or criteria of which one is no null, or both.",
    type: "object",
    required: ["type"],
    properties: {
      type: { const: "noul" },
      instructions: { description: "What is asked. Null is as if it were absent.", type: [...TEXT_TYPES, "null"] },
      criteria: {
        description: "When the answer is yes (`true`) and when no (`false`): both, or one of them. Null is as if it were absent.",
        type: ["object", "null"],
        minProperties: 1,
        additionalProperties: false,
        properties: { true: refTo("Description"), false: refTo("Description") },
      },
    },
    anyOf: [
      described("instructions"),
      { required: ["criteria"], properties: { criteria: { type: "object", anyOf: [described("true"), described("false")] } } },
    ],
  };
}

/** The limits that a JSON Schema cannot say. */
function bounds({ nesting, values, criteria, inputTokens }: ServiceLimits): string[] {
  const sentence = (limit: number, of: (figure: string) => string): string[] =>
    Number.isFinite(limit) ? [of(limit.toLocaleString("en-US"))] : [];
  return [
    ...sentence(nesting, (levels) => `Arrays and objects nest at most ${levels} levels deep, the body included.`),
    ...sentence(values, (values) => `They hold at most ${values} values.`),
    ...sentence(criteria, (criteria) => `All questions together have at most ${criteria} options and levels; a noul counts as two.`),
    ...sentence(inputTokens, (tokens) => `The whole has at most ${tokens} input tokens.`),
  ];
}
