import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeHubTokenizer } from "../../../src/library/tokenizer/hub-tokenizer.ts";
import { strings } from "../../support/tokenizer-strings.ts";
import { recordedIds, tokenizerJson, tokenizerKinds } from "../../support/tokenizers.ts";

const recorded = recordedIds();
const texts = [...strings(recorded.count, recorded.seed)];

/** The first texts of the blocks whose ids differ: `record_ids.py --tokenizer <file>` prints the ids that were expected. */
function differingBlocks(kind: string, digests: string): number[] {
  const { tokenize } = makeHubTokenizer(tokenizerJson(kind));
  const starts = Array.from({ length: texts.length / recorded.block }, (_, block) => block * recorded.block);
  return starts.filter((start) => {
    const lines = texts.slice(start, start + recorded.block).map((text) => tokenize(text).join(","));
    const at = (start / recorded.block) * 8;
    return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 8) !== digests.slice(at, at + 8);
  });
}

describe("A tokenizer gives the ids that Rust's tokenizers gives, for 20,000 strings of all kinds", () => {
  it("with every kind of tokenizer", () => {
    expect(texts).toHaveLength(20_000);
    expect(Object.keys(recorded.kinds).sort()).toEqual([...tokenizerKinds()].sort());
  });

  it.each(Object.entries(recorded.kinds))("%s", (kind, { digests }) => {
    expect(differingBlocks(kind, digests)).toEqual([]);
  });
});

describe("A tokenizer puts around a pair what Rust's tokenizers puts there", () => {
  it.each(Object.entries(recorded.kinds))("%s", (kind, expected) => {
    const { tokenize, pair } = makeHubTokenizer(tokenizerJson(kind));
    const [premise, hypothesis] = recorded.pairTexts;
    const row = [
      ...pair.before,
      ...tokenize(premise).map((id) => ({ id, type: pair.premiseType })),
      ...pair.between,
      ...tokenize(hypothesis).map((id) => ({ id, type: pair.hypothesisType })),
      ...pair.after,
    ];
    expect({ ids: row.map(({ id }) => id), types: row.map(({ type }) => type) }).toEqual(expected.pair);
  });
});
