import { DecideError } from "../../errors.ts";
import { sha256Hex } from "../../library/sha256.ts";
import { Field } from "../../library/validation/field.ts";
import { firstOf } from "../../library/validation/invalid.ts";
import { matching } from "../../library/validation/rules.ts";
import { shapeOf } from "../../library/validation/shape.ts";
import { invalidKeys, readKeys } from "./check-keys.ts";
import type { ApiKey, Keys } from "./keys.ts";

/** Keys in memory. */
export interface KeyRing extends Keys {
  /** Number of keys. */
  readonly size: number;
  /**
   * Replaces all keys; requests that arrive later are checked against the new ones.
   * @throws {DecideError} `invalid_request` with every issue; the old keys then stay in force.
   */
  replace(keys: readonly ApiKey[]): void;
}

/** 32-bit words of a SHA-256. */
const WORDS = 8;
const DIGITS_PER_WORD = 8;

/** What an `Authorization` header can carry after `Bearer`. */
const SECRET = matching(/^[!-~]+$/u, "one or more printable ASCII characters without spaces or line ends");

/**
 * Makes keys for `createHandler`.
 * @throws {DecideError} `invalid_request` with every issue and its place, for example `["keys", 3, "sha256"]`: a name that is missing, malformed or used
 *   twice, a malformed `sha256`, a time without a time zone, an unknown field.
 */
export function createKeys(keys: readonly ApiKey[]): KeyRing {
  return new HashedKeys(keys);
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

class HashedKeys implements KeyRing {
  #keys: readonly ApiKey[] = [];
  /** The hashes one after the other, in the order of the keys. */
  #words = new Int32Array(0);

  constructor(keys: readonly ApiKey[]) {
    this.replace(keys);
  }

  get size(): number {
    return this.#keys.length;
  }

  replace(keys: readonly ApiKey[]): void {
    const list = new Field(keys, ["keys"]);
    const checked = readKeys(list);
    if (list.issues.length > 0) throw invalidKeys("The keys are", list.issues);
    const words = new Int32Array(checked.length * WORDS);
    checked.forEach((key, i) => {
      for (let word = 0; word < WORDS; word++) {
        words[i * WORDS + word] = Number.parseInt(key.sha256.slice(word * DIGITS_PER_WORD, (word + 1) * DIGITS_PER_WORD), 16);
      }
    });
    this.#keys = checked;
    this.#words = words;
  }

  async find(secret: string): Promise<ApiKey | undefined> {
    const hash = new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
    return this.#keys[indexOf(hash, this.#words)];
  }
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
