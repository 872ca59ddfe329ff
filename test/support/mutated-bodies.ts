import fc from "fast-check";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { randomFrom } from "../../src/library/statistics/random.ts";
import { NASTY_TEXTS, mutatedRequest, validRequest } from "./random-requests.ts";

/** A request body that is invalid, or almost invalid, in one of many ways. */
export interface MutatedBody {
  readonly kind: string;
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

type Random = (below: number) => number;
type Make = (
  random: Random,
  json: string,
) => Uint8Array | { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };

const utf8 = (text: string): Uint8Array => Buffer.from(text);
const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

const NUMBERS = [
  "1e999",
  "-1e999",
  "1E+400",
  `1${"0".repeat(500)}`,
  `0.${"0".repeat(500)}1`,
  "-0",
  "1e-999",
  "9007199254740993",
  "00",
  "+1",
  "NaN",
  "-",
  "1e",
  "0x10",
  "Infinity",
];
const PROTOTYPE_KEYS = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
const INVALID_UTF8 = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xe2, 0x82],
  [0x80],
  [0xf4, 0x90, 0x80, 0x80],
];

/** What the bodies are made of. */
export interface Bodies {
  readonly valid: fc.Arbitrary<unknown>;
  /** JSON that a reader of requests has to refuse, or almost. */
  readonly broken: fc.Arbitrary<unknown>;
  /** How many of the bodies are broken in that way, from 0 to 1: the others are broken as bytes. */
  readonly brokenShare: number;
  /** Of a valid request. */
  readonly maxCharacters: number;
}

/** Bodies of our own form. */
const OWN: Bodies = { valid: validRequest, broken: mutatedRequest, brokenShare: 0.05, maxCharacters: 250 };

/** How many of each kind there are in 5,000. */
const KINDS: readonly (readonly [kind: string, share: number, make: Make])[] = [
  ["truncated", 900, (random, json) => utf8(json).subarray(0, random(Buffer.byteLength(json)))],
  ["bytes replaced", 600, (random, json) => withBytes(utf8(json), random, (bytes, at) => void (bytes[at] = random(256)))],
  ["a byte removed", 300, (random, json) => without(utf8(json), random(json.length))],
  ["a part doubled", 300, (random, json) => doubled(utf8(json), random)],
  ["deep", 200, (random) => utf8(`{"model":"latest","state":${deep(random)},"questions":{}}`)],
  ["numbers", 300, (random, json) => utf8(inPlaceOfAString(json, pick(random, NUMBERS), random))],
  [
    "duplicate keys",
    200,
    (random, json) => {
      const more = `"state":${pick(random, ["7", "null", '"a"'])},"model":${pick(random, ["1", '"latest"'])}`;
      return utf8(random(4) === 0 ? `{${more},${json.slice(1)}` : `${json.slice(0, -1)},${more}}`);
    },
  ],
  ["UTF-16", 150, (random, json) => Buffer.concat([random(2) === 0 ? Buffer.of(0xff, 0xfe) : Buffer.of(), Buffer.from(json, "utf16le")])],
  ["a byte order mark", 50, (_, json) => utf8(`\ufeff${json}`)],
  ["Latin-1", 100, (_, json) => Buffer.from(json.replace("{", '{"é":"ü",'), "latin1")],
  ["invalid UTF-8", 250, (random, json) => inserted(utf8(json), random(json.length), pick(random, INVALID_UTF8))],
  [
    "lone surrogates",
    150,
    (random, json) =>
      utf8(inPlaceOfAString(json, pick(random, ['"\\ud800"', '"\\udfff\\ud800"', '"a\\ud83d"', '"\\u0000"', '"\\ud"']), random)),
  ],
  ["NUL and control characters", 100, (random, json) => inserted(utf8(json), random(json.length), [random(32)])],
  ["keys of the prototype", 250, (random, json) => utf8(inPlaceOfAString(json, JSON.stringify(pick(random, PROTOTYPE_KEYS)), random))],
  [
    "nasty texts for types",
    150,
    (random, json) =>
      utf8(json.replaceAll(/"(choice|noul|score|predicate|user|message|input_text)"/gu, JSON.stringify(pick(random, NASTY_TEXTS)))),
  ],
  ["random bytes", 300, (random) => Uint8Array.from({ length: random(2000) }, () => random(256))],
  ["encodings that are wrong", 400, wronglyEncoded],
  [
    "content types that are wrong",
    100,
    (random, json) => ({
      bytes: utf8(json.slice(1)),
      headers: { "content-type": pick(random, ["text/plain", "multipart/form-data", "x", "application/json; charset=utf-16"]) },
    }),
  ],
  [
    "many issues",
    20,
    (random) => utf8(JSON.stringify({ questions: Object.fromEntries(Array.from({ length: 1 + random(5000) }, (_, i) => [i, i])) })),
  ],
  ["larger than the limit", 12, (random) => utf8(`{"state":"${"x".repeat(10_485_760 - random(5))}"}`)],
];

/** Makes `count` bodies. The same seed gives the same bodies. @param of default: requests of our own form */
export function mutatedBodies(count: number, seed: number, { valid, broken, brokenShare, maxCharacters }: Bodies = OWN): MutatedBody[] {
  const random = randomOf(seed);
  const shares = KINDS.reduce((sum, [, share]) => sum + share, 0);
  const mutated = fc
    .sample(broken, { numRuns: Math.ceil(count * brokenShare), seed })
    .map((request) => ({ kind: "mutated requests", bytes: utf8(JSON.stringify(request)) }));
  // Short requests, because those that stay valid are answered, which takes the most time.
  const short = fc
    .sample(valid, { numRuns: 1000, seed })
    .map((request) => JSON.stringify({ model: "latest", ...(request as object) }))
    .filter((json) => json.length < maxCharacters);
  const made = KINDS.flatMap(([kind, share, make]) =>
    Array.from({ length: Math.ceil(((count - mutated.length) * share) / shares) }, (): MutatedBody => {
      const body = make(random, pick(random, short));
      return body instanceof Uint8Array ? { kind, bytes: body } : { kind, ...body };
    }),
  );
  return shuffled([...mutated, ...made], random);
}

function deep(random: Random): string {
  const depth = pick(random, [10, 63, 64, 65, 1000, 100_000]);
  return random(2) === 0 ? "[".repeat(depth) + "]".repeat(random(2) * depth) : '{"a":'.repeat(depth) + "1" + "}".repeat(random(2) * depth);
}

function wronglyEncoded(random: Random, json: string): ReturnType<Make> {
  const bomb = (): Uint8Array => Buffer.alloc(30_000_000, 32);
  const [encoding, bytes] = pick<() => [string, Uint8Array]>(random, [
    () => ["gzip", utf8(json)],
    () => ["gzip", gzipSync(json).subarray(0, random(40))],
    () => ["gzip", Buffer.concat([gzipSync(json), utf8("junk")])],
    () => ["gzip", withBytes(gzipSync(json), random, (copy, at) => void (copy[at] = random(256)))],
    () => ["deflate", deflateRawSync(json)],
    () => ["deflate", deflateSync(json).subarray(0, 10)],
    () => ["zstd", utf8(json)],
    () => ["zstd", Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd), Uint8Array.from({ length: random(100) }, () => random(256))])],
    () => ["zstd", Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, ...Array.from({ length: 200 }, () => [0x02, 0, 0x10, 32]).flat())],
    () => [pick(random, ["br", "compress", "gzip, zstd", "utf-8", "x", "identity;q=0"]), utf8(json)],
    ...(random(8) === 0 ? [(): [string, Uint8Array] => ["gzip", gzipSync(bomb(), { level: 1 })]] : []),
  ])();
  return { bytes, headers: { "content-encoding": encoding } };
}

function withBytes(bytes: Uint8Array, random: Random, change: (bytes: Uint8Array, at: number) => void): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let i = 0; i <= random(4); i++) change(copy, random(copy.length));
  return copy;
}

function without(bytes: Uint8Array, at: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
}

function inserted(bytes: Uint8Array, at: number, more: readonly number[]): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), Uint8Array.from(more), bytes.subarray(at)]);
}

function doubled(bytes: Uint8Array, random: Random): Uint8Array {
  const [start, end] = [random(bytes.length), random(bytes.length)].sort((a, b) => a - b) as [number, number];
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
}

/** Replaces one string of a JSON text, a key or a value, by another text. */
function inPlaceOfAString(json: string, text: string, random: Random): string {
  const strings = [...json.matchAll(/"(?:[^"\\]|\\.)*"/gu)];
  const { index, 0: found } = pick(random, strings);
  return json.slice(0, index) + text + json.slice(index + found.length);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => [random(2 ** 30), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** A seeded generator of whole numbers from 0. */
function randomOf(seed: number): Random {
  const random = randomFrom(seed);
  return (below) => Math.floor(random() * below);
}
