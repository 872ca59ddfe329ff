import { DecideError } from "../../errors.ts";
import type { Issue, IssueType, Location } from "../../errors.ts";
import { isPlainObject, shapeOf } from "../../validation/shape.ts";
import type { ApiKey } from "./keys.ts";

/** Of a key, and so of the account that pays for it. */
export const KEY_NAME = /^[\w.-]{1,64}$/u;
const SHA256 = /^[0-9a-f]{64}$/u;
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u;

/** A field's rule: whether a value keeps it, and the rule in words. Texts that a rule refuses may be secrets, so no message quotes them. */
interface Rule {
  readonly isKept: (value: unknown) => boolean;
  readonly words: string;
}

const RULES: { readonly [F in keyof ApiKey]-?: Rule } = {
  name: { isKept: matches(KEY_NAME), words: "1 to 64 letters, digits, dots, underscores or hyphens" },
  sha256: { isKept: matches(SHA256), words: "64 lower-case hexadecimal digits" },
  expiresAt: { isKept: isInstant, words: "a time with its zone, such as 2027-01-31T00:00:00Z" },
  models: { isKept: isListOfIds, words: "an array of 1 or more model ids" },
  requestsPerMinute: { isKept: (value) => Number.isSafeInteger(value) && Number(value) >= 1, words: "a whole number, 1 or more" },
  paysCredits: { isKept: (value) => typeof value === "boolean", words: "true or false" },
  createdAt: { isKept: isInstant, words: "a time with its zone, such as 2026-01-31T12:00:00Z" },
};

const FIELDS = Object.entries(RULES);

const REQUIRED: readonly string[] = ["name", "sha256"] satisfies (keyof ApiKey)[];

/**
 * Any value as keys, copied. What is wrong goes to `issues`, each at its place under `["keys"]`; then the keys are not to be used.
 * An unknown field is wrong, too: it may be a misspelt limit, and a key without its limit lets in too much.
 */
export function checkKeys(value: unknown, issues: Issue[]): ApiKey[] {
  if (!Array.isArray(value)) {
    issues.push({ loc: ["keys"], msg: `must be an array of keys, but is ${shapeOf(value)}`, type: typeOfWrong(value) });
    return [];
  }
  const keys = Array.from<unknown, ApiKey>(value, (key, i) => checkKey(key, ["keys", i], issues));
  refuseRepeated("name", keys, issues);
  refuseRepeated("sha256", keys, issues);
  return keys;
}

/** The error of keys that are not valid; `what` they are begins its message. */
export function invalidKeys(what: string, issues: readonly Issue[]): DecideError {
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more: see issues)` : "";
  const place = first === undefined ? "" : placeOf(first.loc);
  return new DecideError("invalid_request", `${what} not valid: ${place} ${first?.msg}${more}.`, { issues });
}

/** `keys[3].sha256`. A field that is none is text of whoever wrote it, and not shown. */
function placeOf(loc: Location): string {
  const [root, ...path] = loc;
  const known = path.filter((part) => typeof part === "number" || Object.hasOwn(RULES, part));
  const place = `${root === "file" ? "it" : root}${known.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("")}`;
  return known.length === path.length ? place : `a field of ${place}`;
}

/** One key at its place: as `checkKeys` does with each. */
export function checkKey(value: unknown, loc: Location, issues: Issue[]): ApiKey {
  if (!isPlainObject(value)) {
    issues.push({ loc, msg: `must be an object with name and sha256, but is ${shapeOf(value)}`, type: "wrong_type" });
    return { name: "", sha256: "" };
  }
  for (const field of Object.keys(value)) {
    if (Object.hasOwn(RULES, field)) continue;
    const msg = `is unknown: a key has ${Object.keys(RULES).join(", ")}`;
    issues.push({ loc: [...loc, field], msg, type: "unknown_field" });
  }
  const copy: { [field: string]: unknown } = {};
  for (const [field, { isKept, words }] of FIELDS) {
    const given = value[field];
    if (given === undefined && !REQUIRED.includes(field)) continue;
    if (isKept(given)) copy[field] = Array.isArray(given) ? Array.from<unknown>(given) : given;
    else if (given === undefined) issues.push({ loc: [...loc, field], msg: `is missing: it must be ${words}`, type: "missing" });
    // A number is no secret, and says more than its type.
    else {
      const shown = typeof given === "number" ? given : shapeOf(given);
      issues.push({ loc: [...loc, field], msg: `must be ${words}, but is ${shown}`, type: "unknown_value" });
    }
  }
  return copy as unknown as ApiKey;
}

/** Two keys of one name could not be told apart in a ledger, nor two of one secret by anybody. */
function refuseRepeated(field: "name" | "sha256", keys: readonly Partial<ApiKey>[], issues: Issue[]): void {
  const firsts = new Map<string, number>();
  keys.forEach((key, i) => {
    const value = key[field];
    if (value === undefined || value === "") return;
    const first = firsts.get(value);
    if (first === undefined) firsts.set(value, i);
    else issues.push({ loc: ["keys", i, field], msg: `is that of keys[${first}], too: each key has its own`, type: "unknown_value" });
  });
}

function typeOfWrong(value: unknown): IssueType {
  return value === undefined ? "missing" : "wrong_type";
}

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === "string" && pattern.test(value);
}

function isListOfIds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && Array.from<unknown>(value).every((id) => typeof id === "string" && id !== "");
}

/** ISO 8601 with a time zone, and a time that there is. */
export function isInstant(value: unknown): boolean {
  const [, year, month, day] = (typeof value === "string" ? INSTANT.exec(value) : null) ?? [];
  // Date.parse takes the 30th of February for the 2nd of March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day) && !Number.isNaN(Date.parse(String(value)));
}
