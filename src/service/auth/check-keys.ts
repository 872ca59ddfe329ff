import { DecideError } from "../../errors.ts";
import type { Issue, Location } from "../../errors.ts";
import type { Field } from "../../library/validation/field.ts";
import { firstOf } from "../../library/validation/invalid.ts";
import { matching, TRUE_OR_FALSE, wholeNumber } from "../../library/validation/rules.ts";
import type { RulesOf } from "../../library/validation/rules.ts";
import { refuseUnknown } from "../../library/validation/field.ts";
import type { ApiKey } from "./keys.ts";

/** Pattern of a key's name, which is also the name of its account. */
export const KEY_NAME = /^[\w.-]{1,64}$/u;
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u;

const RULES: RulesOf<ApiKey> = {
  name: matching(KEY_NAME, "1 to 64 letters, digits, dots, underscores or hyphens"),
  sha256: matching(/^[0-9a-f]{64}$/u, "64 lower-case hexadecimal digits"),
  expiresAt: { isKept: isInstant, words: "a time with a time zone, for example 2027-01-31T00:00:00Z" },
  models: { isKept: isListOfIds, words: "an array of 1 or more model ids" },
  requestsPerMinute: wholeNumber(1),
  paysCredits: TRUE_OR_FALSE,
  createdAt: { isKept: isInstant, words: "a time with a time zone, for example 2026-01-31T12:00:00Z" },
};

const REQUIRED: readonly string[] = ["name", "sha256"] satisfies (keyof ApiKey)[];

/** Copies a list of keys out of any value. The result is valid only if the field has no issues. */
export function readKeys(list: Field): ApiKey[] {
  const fields = list.items("an array of keys");
  const keys = fields.map(readKey);
  refuseRepeated("name", fields);
  refuseRepeated("sha256", fields);
  return keys;
}

/**
 * Copies one key out of any value. The result is valid only if the field has no issues. An unknown field is an issue: it may be a misspelt limit, and a
 * key without its limit allows too much.
 */
export function readKey(field: Field): ApiKey {
  if (!field.isObject("an object with name and sha256")) return { name: "", sha256: "" };
  refuseUnknown(field, Object.keys(RULES));
  const copy: { [name: string]: unknown } = {};
  for (const [name, rule] of Object.entries(RULES)) {
    const part = field.get(name);
    if (part.isMissing && !REQUIRED.includes(name)) continue;
    if (part.keeps(rule)) copy[name] = Array.isArray(part.value) ? Array.from<unknown>(part.value) : part.value;
  }
  return copy as unknown as ApiKey;
}

/** The error for invalid keys. @param what the start of its message, for example "The keys are" */
export function invalidKeys(what: string, issues: readonly Issue[]): DecideError {
  return new DecideError("invalid_request", `${what} not valid: ${firstOf(issues, placeOf)}.`, { issues });
}

/** For example `keys[3].sha256`. The name of an unknown field is not shown: it may be a secret in the wrong place. */
function placeOf([root, ...path]: Location): string {
  const known = path.filter((part) => typeof part === "number" || Object.hasOwn(RULES, part));
  const place = `${root === "file" ? "it" : root}${known.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("")}`;
  return known.length === path.length ? place : `a field of ${place}`;
}

/** Two keys with one name could not be told apart in a ledger; two keys with one secret could not be told apart at all. */
function refuseRepeated(name: "name" | "sha256", keys: readonly Field[]): void {
  const firsts = new Map<unknown, number>();
  keys.forEach((key, i) => {
    const field = key.get(name);
    if (!RULES[name].isKept(field.value)) return;
    const first = firsts.get(field.value);
    if (first === undefined) firsts.set(field.value, i);
    else field.refuse(`is the same as that of keys[${first}]: each key needs its own`, "unknown_value");
  });
}

function isListOfIds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && Array.from<unknown>(value).every((id) => typeof id === "string" && id !== "");
}

/** Whether the value is an ISO 8601 time with a time zone, at a date that exists. */
export function isInstant(value: unknown): boolean {
  const [, year, month, day] = (typeof value === "string" ? INSTANT.exec(value) : null) ?? [];
  // Date.parse reads 30 February as 2 March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) && !Number.isNaN(Date.parse(String(value)));
}
