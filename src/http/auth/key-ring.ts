import { DecideError } from "../../errors.ts";
import type { Issue } from "../../errors.ts";
import { sha256Hex } from "../../sha256.ts";
import { shapeOf } from "../../validation/shape.ts";
import { checkKeys, invalidKeys } from "./check-keys.ts";
import type { ApiKey, Keys } from "./keys.ts";

/** Keys in memory. */
export interface KeyRing extends Keys {
  /** How many there are. */
  readonly size: number;
  /**
   * Puts others in the place of all keys; who asks from then on meets them.
   * @throws {DecideError} `invalid_request` with every issue there is; the keys then stay what they were.
   */
  replace(keys: readonly ApiKey[]): void;
}

/** 32-bit words of a SHA-256. */
const WORDS = 8;
const DIGITS_PER_WORD = 8;

/** What can be sent in an `Authorization` header after `Bearer`. */
const SENDABLE = /^[!-~]+$/u;

/**
 * Keys to give to `createHandler`.
 * @throws {DecideError} `invalid_request` with every issue there is, at places such as `["keys", 3, "sha256"]`: a name that is none or is there twice, a
 *   `sha256` of another form, a time without a zone, a field that is none.
 */
export function createKeys(keys: readonly ApiKey[]): KeyRing {
  return new HashedKeys(keys);
}

/**
 * The key of a secret, which itself is not kept.
 * @param secret printable ASCII characters without spaces, since it travels in a header.
 * @param rest what else there is to say of the key.
 * @throws {DecideError} `invalid_request` for a secret that no client could send.
 */
export async function keyFromSecret(name: string, secret: string, rest: Omit<ApiKey, "name" | "sha256"> = {}): Promise<ApiKey> {
  if (typeof secret !== "string" || !SENDABLE.test(secret)) {
    const msg = `must be one or more printable ASCII characters without spaces or line ends, but is ${shapeOf(secret)}`;
    const issue: Issue = { loc: ["secret"], msg, type: "unknown_value" };
    throw new DecideError("invalid_request", `The secret of a key ${msg}.`, { issues: [issue] });
  }
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
    const issues: Issue[] = [];
    const checked = checkKeys(keys, issues);
    if (issues.length > 0) throw invalidKeys("The keys are", issues);
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
    return this.#keys[placeOf(hash, this.#words)];
  }
}

/** Where a hash lies among others, -1 for nowhere. Each is compared whole and nothing branches on the outcome, so that time says nothing of how much is alike. */
function placeOf(hash: DataView, words: Int32Array): number {
  const wanted = Int32Array.from({ length: WORDS }, (_, i) => hash.getInt32(i * 4));
  let found = 0;
  for (let start = 0, place = 1; start < words.length; place++) {
    let difference = 0;
    for (let word = 0; word < WORDS; word++) difference |= (words[start++] ?? 0) ^ (wanted[word] ?? 0);
    // All ones where there is no difference, else 0.
    const isSame = ((difference | -difference) >>> 31) - 1;
    found |= place & isSame;
  }
  return found - 1;
}
