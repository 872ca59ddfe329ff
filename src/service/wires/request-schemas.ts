import { MAX_NAME_CHARACTERS } from "../../library/decide/questions/question-kind.ts";
import type { ServiceLimits } from "../handler/limits.ts";
import { byType, refTo } from "./schema.ts";
import type { Schema, Schemas } from "./schema.ts";

const NOT_EMPTY = { minLength: 1 };
const NAME = { ...NOT_EMPTY, maxLength: MAX_NAME_CHARACTERS };
const TEXT_TYPES = ["string", "object", "array"];

export function requestSchemas(limits: ServiceLimits): Schemas {
  return {
    DecideRequest: {
      description: ["A text and questions about it. Unknown fields are ignored.", ...bounds(limits)].join(" "),
      type: "object",
      required: ["model", "state", "questions"],
      properties: {
        model: {
          description: "Id of a model, or `latest` (alias: `jev-latest`).",
          type: "string",
          ...NOT_EMPTY,
          examples: ["latest"],
        },
        state: { description: "The text that the questions are about.", ...refTo("Text") },
        questions: {
          description:
            "The questions, each under an id that the caller chooses. Answers have the same ids; the model never sees them. Ids must not be empty.",
          type: "object",
          minProperties: 1,
          ...(Number.isFinite(limits.questions) ? { maxProperties: limits.questions } : {}),
          propertyNames: NAME,
          additionalProperties: refTo("Question"),
        },
        x_max_error_rate: {
          description:
            "The share of wrong answers that you accept among those you act on: adds `x_act` to every answer. Null or absent: no `x_act`.",
          type: ["number", "null"],
          exclusiveMinimum: 0,
          exclusiveMaximum: 1,
          examples: [0.05],
        },
      },
    },
    // That misspelt fields are refused is left out: a schema could only list them.
    Question: byType({ choice: "ChoiceQuestion", noul: "NoulQuestion", score: "ScoreQuestion" }),
    ChoiceQuestion: {
      description: "Picks one of 2 to 255 options.",
      type: "object",
      required: ["type", "instructions", "criteria"],
      properties: {
        type: { const: "choice" },
        instructions: { description: "What to decide.", ...refTo("Text") },
        criteria: {
          description: "The options: a description for each key. Keys must not be empty.",
          type: "object",
          minProperties: 2,
          maxProperties: 255,
          propertyNames: NAME,
          additionalProperties: refTo("Description"),
        },
      },
    },
    NoulQuestion: noulQuestion(),
    ScoreQuestion: {
      description: "Rates the state on a scale of 2 to 10 levels.",
      type: "object",
      required: ["type", "instructions", "criteria"],
      properties: {
        type: { const: "score" },
        instructions: { description: "What to rate.", ...refTo("Text") },
        criteria: {
          description: "Descriptions of the levels, from low to high. It must be an array, because the order matters.",
          type: "array",
          minItems: 2,
          maxItems: 10,
          items: refTo("Text"),
        },
      },
    },
    Text: {
      description: "A text; or an object or array, which is read as lines of `key: value` and `- item`, in the order given.",
      type: TEXT_TYPES,
    },
    Description: {
      description: "Like `Text`; or null, and then the model reads the key instead.",
      type: [...TEXT_TYPES, "null"],
    },
  };
}

function noulQuestion(): Schema {
  const described = (key: string): Schema => ({ required: [key], properties: { [key]: { type: TEXT_TYPES } } });
  return {
    description:
      "A yes/no question, answered with the probability of yes. It needs instructions, or at least one criterion that is not null, or both.",
    type: "object",
    required: ["type"],
    properties: {
      type: { const: "noul" },
      instructions: { description: "What to ask. Null means absent.", type: [...TEXT_TYPES, "null"] },
      criteria: {
        description: "When the answer is yes (`true`) and when it is no (`false`): one of them or both. Null means absent.",
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

/** The limits that a JSON Schema cannot express. */
function bounds({ nesting, values, criteria, inputTokens }: ServiceLimits): string[] {
  const sentence = (limit: number, of: (figure: string) => string): string[] =>
    Number.isFinite(limit) ? [of(limit.toLocaleString("en-US"))] : [];
  return [
    ...sentence(nesting, (levels) => `Arrays and objects nest at most ${levels} levels deep, including the body itself.`),
    ...sentence(values, (values) => `They hold at most ${values} values in total.`),
    ...sentence(
      criteria,
      (criteria) => `All questions together have at most ${criteria} options and levels; a noul (yes/no question) counts as two.`,
    ),
    ...sentence(inputTokens, (tokens) => `The whole request has at most ${tokens} input tokens.`),
  ];
}
