import type { DecideErrorCode, IssueType } from "../../errors.ts";
import { MAX_ISSUES } from "../../errors.ts";
import { ERROR_TYPES, STATUS_TYPES } from "../handler/responses.ts";
import { refTo } from "./schema.ts";
import type { Schemas } from "./schema.ts";

/** What each code means. The type makes the compiler refuse a missing one. */
export const ERROR_CODES: Readonly<Record<DecideErrorCode, string>> = {
  invalid_request: "The request breaks a rule. `detail` lists the issues.",
  input_too_long:
    "The body is too large, or the text has more tokens than the model can read. The message says which part is too long, its size and the limit.",
  unauthorized: "The key is missing, unknown or expired.",
  insufficient_credits: "The key has too few credits.",
  model_not_found: "There is no such model. The message lists the models.",
  model_invalid: "The model's files are damaged.",
  backend_unavailable: "This server cannot run the model.",
  backend_failed: "The runtime that runs the model failed.",
  worker_lost: "The worker died while it answered the request. Send it again.",
  overloaded: "Too many requests are waiting, or the key has sent too many. Send the request again after `Retry-After` seconds.",
  closed: "The server is stopping.",
  internal: "An error in the service itself.",
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
      description: "The body of every error. No message contains the caller's text.",
      type: "object",
      required: ["error", "detail"],
      properties: {
        error: {
          type: "object",
          required: ["message", "type", "code", "param"],
          properties: {
            message: { description: "What happened and what to do next. Meant for people: the wording may change.", type: "string" },
            type: { description: "Category of the error, coarser than its code.", enum: [...new Set(Object.values(ERROR_TYPES))] },
            code: {
              description: Object.entries(ERROR_CODES)
                .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
                .join("\n"),
              enum: Object.keys(ERROR_CODES),
            },
            param: {
              description: "Place of the first issue, for example `questions.route.criteria`; null for the whole body.",
              type: ["string", "null"],
            },
            x_issues: {
              description: "The issues, if `detail` does not list them.",
              type: "array",
              maxItems: MAX_ISSUES,
              items: refTo("Issue"),
            },
            x_issues_left_out: {
              description: `Number of further issues that were found: a reply lists at most ${MAX_ISSUES} issues, of about 64 kB.`,
              type: "integer",
              minimum: 1,
            },
          },
        },
        detail: {
          description: "The issues for a 422, otherwise the error once more.",
          oneOf: [
            { type: "array", minItems: 1, maxItems: MAX_ISSUES, items: refTo("Issue") },
            {
              type: "object",
              required: ["error_type", "message"],
              properties: {
                error_type: { description: "Category of the error by its status, in the hosted API's words.", enum: STATUS_TYPES },
                message: { type: "string" },
              },
            },
          ],
        },
      },
    },
    Issue: {
      description: "One problem of a request.",
      type: "object",
      required: ["loc", "msg", "type"],
      properties: {
        loc: {
          description: 'Path to the invalid value, for example `["body", "questions", "route", "criteria"]`.',
          type: "array",
          items: { type: ["string", "integer"] },
        },
        msg: { description: "What is wrong. It describes the value by its type and size, never by its text.", type: "string" },
        type: { enum: Object.keys(ISSUE_TYPES) },
      },
    },
  };
}
