import type { DecideErrorCode, IssueType } from "../../errors.ts";
import { ERROR_TYPES } from "../responses.ts";
import { refTo } from "./schema.ts";
import type { Schemas } from "./schema.ts";

/** What is wrong under each code, for people. The compiler sees to it that none is missing. */
export const ERROR_CODES: Readonly<Record<DecideErrorCode, string>> = {
  invalid_request: "The request breaks a rule. `detail` lists every issue at once.",
  input_too_long: "Over the limit of a body, or over the model's budget of tokens. The message says which part, its size and the limit.",
  unauthorized: "No key, a wrong one, or one that has expired.",
  insufficient_credits: "The key's credits are spent.",
  model_not_found: "No such model. The message lists those that there are.",
  model_invalid: "A model's files are damaged.",
  backend_unavailable: "What runs the model cannot be had on this server.",
  backend_failed: "What runs the model has failed.",
  worker_lost: "The worker died while it answered. Send the request again.",
  overloaded: "Too many requests wait, or the key sends too many. Send the request again after `Retry-After` seconds.",
  closed: "The server is stopping.",
  internal: "A mistake of ours.",
};

const ISSUE_TYPES: Readonly<Record<IssueType, true>> = {
  missing: true,
  wrong_type: true,
  too_few: true,
  too_many: true,
  empty: true,
  unknown_value: true,
  unknown_field: true,
  not_json: true,
  too_deep: true,
  cyclic: true,
  too_long: true,
};

export function errorSchemas(): Schemas {
  return {
    Error: {
      description: "Every error has this body. No message holds a text of the caller's.",
      type: "object",
      required: ["error", "detail"],
      properties: {
        error: {
          type: "object",
          required: ["message", "type", "code", "param"],
          properties: {
            message: { description: "What happened, and what to do next. For people: its words may change.", type: "string" },
            type: { description: "Kind of the error, coarser than its code.", enum: [...new Set(Object.values(ERROR_TYPES))] },
            code: {
              description: Object.entries(ERROR_CODES)
                .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
                .join("\n"),
              enum: Object.keys(ERROR_CODES),
            },
            param: {
              description: "Place of the first issue, e.g. `questions.route.criteria`; null for the whole.",
              type: ["string", "null"],
            },
            x_issues: { description: "The issues, where `detail` does not list them.", type: "array", items: refTo("Issue") },
            x_issues_left_out: {
              description: "How many issues more there are than are listed: a reply has room for some 64 kB of them.",
              type: "integer",
              minimum: 1,
            },
          },
        },
        detail: {
          description: "Of a 422 the issues; else code and message once more.",
          oneOf: [
            { type: "array", minItems: 1, items: refTo("Issue") },
            {
              type: "object",
              required: ["error_type", "message"],
              properties: { error_type: { type: "string" }, message: { type: "string" } },
            },
          ],
        },
      },
    },
    Issue: {
      description: "One thing that is wrong with a request.",
      type: "object",
      required: ["loc", "msg", "type"],
      properties: {
        loc: {
          description: 'Path to the value at fault, e.g. `["body", "questions", "route", "criteria"]`.',
          type: "array",
          items: { type: ["string", "integer"] },
        },
        msg: { description: "What is wrong; of the value its type and size, never its text.", type: "string" },
        type: { enum: Object.keys(ISSUE_TYPES) },
      },
    },
  };
}
