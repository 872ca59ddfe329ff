import { expect, it } from "vitest";
import { withPrefixSpace } from "../../../../../src/library/engine/families/gliclass/prefix-space.ts";

const bytes = (isSet: boolean): object => ({ type: "ByteLevel", add_prefix_space: isSet, trim_offsets: true });

it("byte-level tokenizers get a space before texts, wherever they say how texts are split", () => {
  const json = { model: { type: "BPE" }, pre_tokenizer: bytes(false) };
  expect(withPrefixSpace(json)).toEqual({ ...json, pre_tokenizer: bytes(true) });
  const split = { type: "Split", pattern: { Regex: "x" } };
  const sequence = (...pretokenizers: object[]): object => ({ pre_tokenizer: { type: "Sequence", pretokenizers } });
  expect(withPrefixSpace(sequence(split, bytes(false)))).toEqual(sequence(split, bytes(true)));
});

it("others stay as they are", () => {
  for (const json of [
    { pre_tokenizer: null },
    { pre_tokenizer: { type: "Metaspace", prepend_scheme: "always" } },
    { pre_tokenizer: { type: "Sequence" } },
  ])
    expect(withPrefixSpace(json)).toEqual(json);
});
