import { DecideError, type Issue, type Location } from "../../errors.ts";
import { sha256Hex } from "../../library/sha256.ts";
import { Field, firstOf, matching, refuseUnknown, shapeOf, TRUE_OR_FALSE, wholeNumber } from "../../library/validation/field.ts";
import type { RulesOf } from "../../library/validation/field.ts";
import type { ApiKey, Keys } from "./keys.ts";

export interface KeyRing extends Keys {
  readonly size: number;
  /**
   * Replaces all keys; requests that arrive later are checked against the new ones.
   * @throws {DecideError} `invalid_request` with every issue; the old keys then stay in force.
   */
  replace(keys: readonly ApiKey[]): void;
}

/** 32-bit words of a SHA-256. */
const WORDS = 8;

/** The text that an `Authorization` header can carry after `Bearer`. */
const SECRET = matching(/^[!-~]+$/u, "one or more printable ASCII characters without spaces or line ends");

/**
 * Makes keys for `createHandler`.
 * @throws {DecideError} `invalid_request` with every issue and its place, for example `["keys", 3, "sha256"]`: a name that is missing, malformed or used
 *   twice, a malformed `sha256`, a time without a time zone, an unknown field.
 */
export function createKeys(keys: readonly ApiKey[]): KeyRing {
  let ring = hashed(keys);
  return {
    get size() {
      return ring.keys.length;
    },
    replace(others) {
      ring = hashed(others);
    },
    async find(secret) {
      const hash = new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
      return ring.keys[indexOf(hash, ring.words)];
    },
  };
}

/** Checked keys, and the words of their hashes in the same order. */
function hashed(given: readonly ApiKey[]): { readonly keys: readonly ApiKey[]; readonly words: Int32Array } {
  const list = new Field(given, ["keys"]);
  const keys = readKeys(list);
  if (list.issues.length > 0) throw invalidKeys("The keys are", list.issues);
  const digits = keys.flatMap(({ sha256 }) => sha256.match(/.{8}/gu) ?? []);
  return { keys, words: Int32Array.from(digits, (word) => Number.parseInt(word, 16)) };
}

/**
 * Makes the key of a secret. The key holds the secret's SHA-256, not the secret.
 * @param secret printable ASCII characters without spaces, because it is sent in a header.
 * @param rest the key's other fields.
 * @throws {DecideError} `invalid_request` for a secret that a header cannot carry.
 */
export async function keyFromSecret(name: string, secret: string, rest: Omit<ApiKey, "name" | "sha256"> = {}): Promise<ApiKey> {
  const field = new Field(secret, ["secret"]);
  // Not field.keeps(): its message would show a number, which is a secret here.
  if (!SECRET.isKept(secret)) field.refuse(`must be ${SECRET.words}, but is ${shapeOf(secret)}`, "unknown_value");
  const { issues } = field;
  if (issues.length > 0) throw new DecideError("invalid_request", `${firstOf(issues, () => "The secret of a key")}.`, { issues });
  return { ...rest, name, sha256: await sha256Hex(new TextEncoder().encode(secret)) };
}

/** Index of a hash among others, or -1. Every hash is compared in full, without branches on the outcome, so that timing reveals nothing about the hashes. */
function indexOf(hash: DataView, words: Int32Array): number {
  const wanted = Int32Array.from({ length: WORDS }, (_, i) => hash.getInt32(i * 4));
  let found = 0;
  for (let start = 0, place = 1; start < words.length; place++) {
    let difference = 0;
    for (let word = 0; word < WORDS; word++) difference |= (words[start++] ?? 0) ^ (wanted[word] ?? 0);
    // All ones if there is no difference, else 0.
    const isSame = ((difference | -difference) >>> 31) - 1;
    found |= place & isSame;
  }
  return found - 1;
}

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
