import { byType, refTo } from "./schema.ts";
import type { Schema, Schemas } from "./schema.ts";

const PROBABILITY = { type: "number", minimum: 0, maximum: 1 };
const LEVEL = { pattern: "^[0-9]$" };

export function answerSchemas(): Schemas {
  const probabilities = (of: string): Schema => ({
    description: `A probability for each ${of}, in the order of the criteria. They sum to 1.`,
    type: "object",
    additionalProperties: PROBABILITY,
  });
  const confidence = {
    description: "0 if all options are equally likely, 1 if one is certain. Act on confident answers and let a person decide the rest.",
    ...PROBABILITY,
  };
  const own = {
    x_accuracy: {
      description:
        "How often answers of this type, with about this many options and this probability, were right on questions held out. Absent if the model does not state it, or if the answer has `x_warnings`.",
      ...PROBABILITY,
    },
    x_lesson: { description: "Id of the lesson that answered: the service was taught this question. Absent if none did.", type: "string" },
    x_act: {
      description:
        "Present if the request has `x_max_error_rate`. true: of held-out answers at least this sure, no larger share was wrong, at 90% confidence. false: a larger share was, there are too few to tell, or the answer has `x_warnings`.",
      type: "boolean",
    },
    x_warnings: {
      description:
        "What is odd about the state; absent if nothing is. `unread_text`: a large part of it is of letters or words that the model's vocabulary does not know, such as another language or codes. `empty_state`: there is nothing in it to read.",
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { enum: ["unread_text", "empty_state"] },
    },
  };
  return {
    DecideResponse: {
      type: "object",
      required: ["model", "answers", "usage"],
      properties: {
        model: { description: "Id of the model that answered, never an alias.", type: "string" },
        answers: {
          description: "The answer to each question, under the question's id.",
          type: "object",
          additionalProperties: refTo("Answer"),
        },
        usage: refTo("Usage"),
      },
    },
    Answer: byType({ choice: "ChoiceAnswer", noul: "NoulAnswer", score: "ScoreAnswer" }),
    ChoiceAnswer: {
      type: "object",
      required: ["type", "choice", "confidence", "probabilities"],
      properties: {
        type: { const: "choice" },
        choice: { description: "Key of the most likely option; the first one on a tie.", type: "string" },
        confidence,
        probabilities: probabilities("option"),
        ...own,
      },
    },
    NoulAnswer: {
      type: "object",
      required: ["type", "noul"],
      properties: { type: { const: "noul" }, noul: { description: "Probability that the answer is yes.", ...PROBABILITY }, ...own },
    },
    ScoreAnswer: {
      type: "object",
      required: ["type", "score", "legend", "probabilities", "confidence"],
      properties: {
        type: { const: "score" },
        score: {
          description: "Expected level: the sum of each level's number multiplied by its probability.",
          type: "number",
          minimum: 0,
          maximum: 9,
        },
        legend: {
          description: 'The criteria by level, starting with "0".',
          type: "object",
          propertyNames: LEVEL,
          additionalProperties: refTo("Text"),
        },
        probabilities: { ...probabilities("level"), propertyNames: LEVEL },
        confidence,
        ...own,
      },
    },
    Usage: {
      description: "Tokens, counted by the model's tokenizer.",
      type: "object",
      required: ["input_tokens", "output_tokens"],
      properties: {
        input_tokens: {
          description: "Tokens of the state, the instructions and the criteria, each counted once.",
          type: "integer",
          minimum: 0,
        },
        output_tokens: {
          description: "Tokens of the answers: those of the chosen key for a choice, one for a noul or a score.",
          type: "integer",
          minimum: 0,
        },
      },
    },
  };
}

export function modelSchemas(): Schemas {
  return {
    ModelList: {
      type: "object",
      required: ["models"],
      properties: { models: { type: "array", items: refTo("Model") } },
    },
    Model: {
      type: "object",
      required: ["name", "description", "release_date"],
      properties: {
        name: { description: "Id of the model, for `model` in a request.", type: "string" },
        description: { type: "string" },
        release_date: { description: "Year, month and day, for example 2026-11-21.", type: "string", format: "date" },
        x_lessons: {
          description: "Questions that it was taught; absent if there are none.",
          type: "array",
          minItems: 1,
          items: refTo("Lesson"),
        },
      },
    },
    Lesson: {
      description:
        "Answers every question with its type, instructions and criteria. Lessons are the operator's: nothing is taught over HTTP.",
      type: "object",
      required: ["id", "type"],
      properties: {
        id: { description: "As `x_lesson` of the answers.", type: "string" },
        type: { description: "Type of the question.", enum: ["choice", "noul", "score"] },
        instructions: { description: "Instructions of the question; absent if it has none.", ...refTo("Text") },
      },
    },
  };
}
