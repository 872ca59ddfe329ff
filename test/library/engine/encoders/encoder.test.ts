import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as language from "../../../../src/library/engine/language.ts";
import { halfOf, sequenceReader, stateWarnings } from "../../../../src/library/engine/encoders/encoder.ts";
import type { ReadSequences } from "../../../../src/library/engine/encoders/encoder.ts";
import type { EncoderInput } from "../../../../src/library/engine/encoders/encoder-manifest.ts";
import type { Session } from "../../../../src/library/engine/runtime.ts";
import { fixtureModel } from "../../../support/added-pack.ts";
import { decideError } from "../../../support/rejection.ts";

const ROWS = [
  { ids: [2, 25, 3, 100, 114, 3], types: [0, 0, 0, 1, 1, 1] },
  { ids: [2, 25, 3, 77, 101, 138, 37, 50, 3], types: [0, 0, 0, 1, 1, 1, 1, 1, 1] },
];
const INPUTS: readonly EncoderInput[] = ["input_ids", "attention_mask", "token_type_ids"];
const PAD_ID = 7;

async function sessionOf(name: string, file: string): Promise<Session & { inputNames: readonly string[] }> {
  const session = await ort.InferenceSession.create(await readFile(join(fixtureModel(name), "onnx", file)));
  return {
    inputNames: session.inputNames,
    run: (feeds, fetches) => session.run(feeds, [...fetches]),
    release: () => session.release(),
  };
}

describe("an encoder", () => {
  let session: Session;
  beforeAll(async () => {
    session = await sessionOf("bert", "model.onnx");
  });
  afterAll(() => session.release());

  const encoder = (inputs = INPUTS, output = "logits", runs = session): { read: ReadSequences } => ({
    read: sequenceReader(runs, ort, { graph: { inputs, output } }, PAD_ID),
  });

  it("reads rows together as it reads each alone: padding is not seen", async () => {
    const together = await encoder().read(ROWS, 3);
    const alone = await Promise.all(ROWS.map((row) => encoder().read([row], 3)));
    expect(together).toHaveLength(6);
    const expected = alone.flatMap((logits) => [...logits]);
    expect(Math.max(...expected.map((logit, i) => Math.abs(logit - (together[i] ?? NaN))))).toBeLessThan(1e-5);
  });

  it("feeds the inputs that the graph has, int64, and pads them", async () => {
    const feeds: Record<string, unknown> = {};
    const token_type_ids = new ort.Tensor("int64", new BigInt64Array(18), [2, 9]);
    const noting: Session = {
      run: (given, fetches) => {
        for (const [name, { type, dims, data }] of Object.entries(given))
          feeds[name] = { type, dims, data: [...(data as BigInt64Array)].map(Number) };
        return session.run({ ...given, token_type_ids }, fetches);
      },
      release: () => session.release(),
    };
    await encoder(["input_ids", "attention_mask"], "logits", noting).read(ROWS, 3);
    const as = (data: readonly number[]): unknown => ({ type: "int64", dims: [2, 9], data });
    expect(feeds).toEqual({
      input_ids: as([2, 25, 3, 100, 114, 3, PAD_ID, PAD_ID, PAD_ID, 2, 25, 3, 77, 101, 138, 37, 50, 3]),
      attention_mask: as([1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    });
  });

  it("fails where the graph gives something else than it should", async () => {
    for (const failing of [
      () => encoder().read(ROWS, 2),
      () => encoder(INPUTS, "scores").read(ROWS, 3),
      () => encoder(["input_ids"]).read(ROWS, 3),
    ])
      expect(await decideError(failing)).toMatchObject({ code: "backend_failed" });
  });

  it("reads a graph's numbers in half precision, too", async () => {
    const half = await sessionOf("roberta", "model_fp16.onnx");
    const full = await sessionOf("roberta", "model.onnx");
    const inputs = INPUTS.filter((input) => full.inputNames.includes(input));
    const [inHalf, inFull] = [await encoder(inputs, "logits", half).read(ROWS, 3), await encoder(inputs, "logits", full).read(ROWS, 3)];
    expect(inHalf).toBeInstanceOf(Float32Array);
    const differences = [...inFull].map((logit, i) => Math.abs(logit - (inHalf[i] ?? NaN)));
    expect(Math.max(...differences)).toBeLessThan(0.05);
    expect(Math.max(...differences)).toBeGreaterThan(0);
    await Promise.all([half.release(), full.release()]);
  });
});

it.each<[number, number]>([
  [0x3c00, 1],
  [0xc000, -2],
  [0x3555, 0.333251953125],
  [0x7bff, 65504],
  [0x0400, 2 ** -14],
  [0x0001, 2 ** -24],
  [0x8000, -0],
  [0x7c00, Infinity],
  [0xfc00, -Infinity],
  [0x7e00, NaN],
])("the 16 bits %i are %d", (bits, number) => {
  expect(halfOf(bits)).toBe(number);
});

const UNKNOWN = 3;
/** A token for every few letters of a word. */
const pieces =
  (length: (word: string) => number) =>
  (text: string): number[] =>
    text
      .trim()
      .split(/\s+/u)
      .flatMap((word) => Array.from({ length: Math.ceil(word.length / length(word)) }, () => 7));
const whole = (word: string): number => word.length;
const isLatin = (word: string): boolean => /^[\p{ASCII}\p{sc=Latin}]+$/u.test(word);

const ENGLISH_ONLY = pieces((word) =>
  !isLatin(word) ? 1 : /^(?:the|customer|says|that|parcel|has|not|arrived)$/iu.test(word) ? word.length : 2,
);
const GERMAN_ONLY = pieces((word) =>
  !isLatin(word) ? 1 : /^(?:the|customer|says|that|parcel|has|not|arrived)$/iu.test(word) ? 2 : word.length,
);
const GERMAN = "Das Paket ist nie angekommen, und ich will jetzt mein Geld zurück.";
const RUSSIAN = "Посылка так и не пришла, верните мне деньги.";
const warningsOf = (state: string, tokenize: (text: string) => number[]): readonly string[] =>
  stateWarnings(state, tokenize(state), { tokenize, unknownId: undefined }, language);

it("a text of which a third or more is unknown is unread", () => {
  const vocabulary = { tokenize: ENGLISH_ONLY, unknownId: UNKNOWN };
  expect(stateWarnings("text", [UNKNOWN], vocabulary, language)).toEqual(["unread_text"]);
  expect(stateWarnings("text", [7, UNKNOWN, 8], vocabulary, language)).toEqual(["unread_text"]);
  expect(stateWarnings("text", [7, UNKNOWN, 8, 9], vocabulary, language)).toEqual([]);
});

it("nothing is unknown where the vocabulary can spell everything", () => {
  expect(warningsOf("text", ENGLISH_ONLY)).toEqual([]);
});

it("a text without tokens is empty, and so is white space that has some", () => {
  expect(stateWarnings("", [], { tokenize: ENGLISH_ONLY, unknownId: UNKNOWN }, language)).toEqual(["empty_state"]);
  expect(stateWarnings(" \n\t", [7, 8], { tokenize: ENGLISH_ONLY, unknownId: undefined }, language)).toEqual(["empty_state"]);
});

it.each([GERMAN, RUSSIAN])("a text in another language is unread by a vocabulary of English: %s", (state) => {
  expect(warningsOf(state, ENGLISH_ONLY)).toEqual(["unread_text"]);
});

it.each([GERMAN, RUSSIAN])("but not by one of many languages, which has their words whole: %s", (state) => {
  expect(warningsOf(state, pieces(whole))).toEqual([]);
});

it("nor by one of that language, whose words it spells better than those of English", () => {
  expect(warningsOf(GERMAN, GERMAN_ONLY)).toEqual([]);
  expect(warningsOf(RUSSIAN, GERMAN_ONLY)).toEqual(["unread_text"]);
});

it("words that a vocabulary of many languages lacks are still unknown to it", () => {
  const tokenize = pieces(whole);
  expect(stateWarnings(RUSSIAN, [UNKNOWN, UNKNOWN, 7], { tokenize, unknownId: UNKNOWN }, language)).toEqual(["unread_text"]);
});
