import { readFileSync, readdirSync } from "node:fs";

const FOLDER = new URL("../fixtures/tokenizers/", import.meta.url);

/** What the Rust library made of the strings of test/support/tokenizer-strings.ts: test/fixtures/tokenizers/record_ids.py writes it. */
export interface RecordedIds {
  readonly seed: number;
  readonly count: number;
  /** So many strings have one digest of 8 hexadecimal digits. */
  readonly block: number;
  readonly pairTexts: readonly [string, string];
  readonly kinds: {
    readonly [kind: string]: { readonly pair: { readonly ids: number[]; readonly types: number[] }; readonly digests: string };
  };
}

export function recordedIds(): RecordedIds {
  return JSON.parse(readFileSync(new URL("ids.json", FOLDER), "utf8")) as RecordedIds;
}

/** What the Rust library reads of every code point: test/fixtures/tokenizers/characters.py writes it. */
export interface RecordedCharacters {
  /** So many code points have one digest of 8 hexadecimal digits. */
  readonly block: number;
  /** Of the words of the built-in packs. */
  readonly words: string;
  readonly ids: { readonly [tokenizer: string]: string };
  /** Of the ids of umpire-2, for every 100 strings of test/support/tokenizer-strings.ts. */
  readonly strings: string;
  /** Ranges that were not assigned in Unicode 14: first and last, each as its distance from the number before, in letters as in src/library/tokenizer/bert-text.ts. */
  readonly unassigned: string;
}

export function recordedCharacters(): RecordedCharacters {
  return JSON.parse(readFileSync(new URL("characters.json", FOLDER), "utf8")) as RecordedCharacters;
}

/** The names of the tiny tokenizers. */
export function tokenizerKinds(): readonly string[] {
  const names = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));
  return names.map((file) => file.slice(0, -".json".length)).filter((name) => !["characters", "ids", "strings"].includes(name));
}

/** A tokenizer.json that a test may change. */
export interface TokenizerJson {
  added_tokens: Record<string, unknown>[];
  normalizer: unknown;
  pre_tokenizer: unknown;
  post_processor: unknown;
  model: Record<string, unknown> & { vocab: unknown };
  padding?: unknown;
}

export function tokenizerJson(kind: string): TokenizerJson {
  return JSON.parse(readFileSync(new URL(`${kind}.json`, FOLDER), "utf8")) as TokenizerJson;
}
