// @ts-check
// Writes the request as a program and as an HTTP call, to copy.
import { byId } from "./dom.js";
import { access, literal } from "./literal.js";
import { QUESTION_KINDS } from "./question-kinds.js";

/** @typedef {import("./draft.js").Request} Request */

const CALL = "const { answers, usage } = await decide(";

/** @param {Request} request */
export function showCode(request) {
  byId("request-json").textContent = JSON.stringify(request, null, 2);
  byId("library-code").textContent = libraryCode(request);
  byId("http-code").textContent = httpCode(request);
}

/** @param {Request} request */
export function libraryCode({ model, state, questions }) {
  const lines = Object.entries(questions).map(([id, { type, criteria }]) => QUESTION_KINDS[type].code(`answers${access(id)}`, criteria));
  return [
    'import { decide } from "umpire";',
    "",
    `${CALL}${literal({ ...(model !== "latest" && { model }), state: state ?? "", questions }, "", CALL.length)});`,
    "",
    ...lines,
    "console.log(usage.input_tokens, usage.output_tokens);",
    "",
  ].join("\n");
}

/**
 * The body is a quoted here-document, so no character needs escaping.
 * @param {Request} request
 */
export function httpCode(request) {
  return [
    "BASE_URL=https://decisions.example",
    "API_KEY=put-your-key-here",
    "",
    'curl "$BASE_URL/decision/v1/model" \\',
    '  --header "Authorization: Bearer $API_KEY" \\',
    '  --header "Content-Type: application/json" \\',
    "  --data-binary @- <<'JSON'",
    JSON.stringify(request, null, 2),
    "JSON",
    "",
  ].join("\n");
}
