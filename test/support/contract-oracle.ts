import type { Question } from "../../src/public.ts";

/**
 * A second, minimal implementation of the contract's request rules, for JSON values of moderate depth. It only says valid or invalid. The library must
 * accept exactly the same requests.
 */

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === "string" || (typeof value === "object" && value !== null);
const isDescription = (value: unknown): boolean => value === null || isText(value);

export function keepsContract(request: unknown): boolean {
  if (!isObject(request)) return false;
  const { model, state, questions } = request;
  if (model !== undefined && (typeof model !== "string" || model === "")) return false;
  if (!isText(state) || !isObject(questions)) return false;
  const entries = Object.entries(questions);
  return entries.length > 0 && entries.every(([id, question]) => id !== "" && isQuestion(question));
}

/** Whether instructions and criteria are right for a type of question. */
const KEEPS: { readonly [T in Question["type"]]: (instructions: unknown, criteria: unknown) => boolean } = {
  choice: (instructions, criteria) => {
    if (!isText(instructions) || !isObject(criteria)) return false;
    const options = Object.entries(criteria);
    return options.length >= 2 && options.length <= 255 && options.every(([key, description]) => key !== "" && isDescription(description));
  },
  noul: (instructions, criteria) => {
    const asked = instructions !== undefined && instructions !== null;
    if (asked && !isText(instructions)) return false;
    if (criteria === undefined || criteria === null) return asked;
    if (!isObject(criteria)) return false;
    const keys = Object.keys(criteria);
    const known = keys.length > 0 && keys.every((key) => key === "true" || key === "false");
    const given = keys.map((key) => criteria[key]);
    return known && given.every(isDescription) && (asked || given.some((description) => description !== null));
  },
  score: (instructions, criteria) =>
    isText(instructions) && Array.isArray(criteria) && criteria.length >= 2 && criteria.length <= 10 && criteria.every(isText),
};

function isQuestion(question: unknown): boolean {
  if (!isObject(question)) return false;
  const { type, instructions, criteria } = question;
  return typeof type === "string" && Object.hasOwn(KEEPS, type) && KEEPS[type as Question["type"]](instructions, criteria);
}
