import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/tools/tool-error.ts";
import { GLICLASS_MARKS, gliclassKind, isGliclass } from "../../../src/tools/models/model-kinds.ts";
import { makeHubTokenizer } from "../../../src/library/tokenizer/hub-tokenizer.ts";
import type { HubTokenizer } from "../../../src/library/tokenizer/hub-tokenizer.ts";

type Config = Record<string, unknown> & { encoder_config: Record<string, unknown> };

async function published(name: string): Promise<{ config: Config; tokenizer: HubTokenizer }> {
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(new URL(`../../fixtures/models/${name}/${file}`, import.meta.url), "utf8"));
  return { config: (await read("config.json")) as Config, tokenizer: makeHubTokenizer(await read("tokenizer.json"), GLICLASS_MARKS) };
}

const { config, tokenizer } = await published("gliclass");

function refusal(change: Record<string, unknown>, from: Pick<HubTokenizer, "idOf"> = tokenizer): string {
  try {
    gliclassKind({ ...config, ...change }, from);
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
  throw new Error("the model was taken");
}

describe("a GLiClass model", () => {
  it("is known by its config.json, of whatever architecture, and also by one that an exporter wrote", () => {
    expect(isGliclass(config)).toBe(true);
    expect(isGliclass({ ...config, architecture_type: "bi-encoder" })).toBe(true);
    expect(isGliclass({ original_model_name: "a/b", architecture_type: "uni-encoder", prompt_first: false })).toBe(true);
    expect(isGliclass({ model_type: "deberta-v2" })).toBe(false);
    expect(isGliclass({})).toBe(false);
  });

  it("becomes the family's part of a manifest", () => {
    const plain = { label: "{option}", prompt: "{instructions}" };
    expect(gliclassKind(config, tokenizer)).toMatchObject({
      family: "gliclass",
      fields: {
        markers: { label: "<<LABEL>>", separator: "<<SEP>>" },
        promptFirst: true,
        prefixSpace: false,
        maxLabels: 25,
        templates: { choice: plain, noul: plain, score: plain },
      },
      classes: undefined,
    });
    const { fields } = gliclassKind({ ...config, prompt_first: false, max_num_classes: 60 }, tokenizer, "It is {option}.");
    expect(fields).toMatchObject({
      promptFirst: false,
      maxLabels: 60,
      templates: { choice: { label: "It is {option}.", prompt: "{instructions}" }, noul: plain, score: plain },
    });
  });

  it("of ModernBERT has a space before its texts, as its authors load it", async () => {
    const modern = await published("gliclass-modernbert");
    expect(gliclassKind(modern.config, modern.tokenizer).fields.prefixSpace).toBe(true);
  });

  it("with a config.json of an exporter, which says next to nothing, takes what the package takes", () => {
    expect(gliclassKind({ architecture_type: "uni-encoder" }, tokenizer)).toMatchObject({
      fields: { promptFirst: false, maxLabels: 25 },
      limits: { windowTokens: 512 },
    });
    expect(gliclassKind({ model_type: "GLiClass" }, tokenizer).fields.maxLabels).toBe(25);
  });

  it.each([
    ["by its positions", { max_position_embeddings: 300 }, 300],
    ["by those of the package, if it has more", { max_position_embeddings: 8192 }, 1024],
    [
      "by those of the package, if it has distances in their place",
      { max_position_embeddings: 512, relative_attention: true, position_biased_input: false },
      1024,
    ],
    ["by its positions, if it has both", { max_position_embeddings: 512, relative_attention: true, position_biased_input: true }, 512],
  ])("has windows %s", (_, encoder, windowTokens) => {
    const { limits } = gliclassKind({ ...config, encoder_config: encoder }, tokenizer);
    expect(limits).toEqual({
      stateTokens: 16_384,
      windowTokens,
      overlapTokens: Math.floor(windowTokens / 8),
      instructionsTokens: Math.floor(windowTokens / 4),
      optionTokens: Math.floor(windowTokens / 8),
    });
  });

  it.each([
    ["bi-encoder", "it is a bi-encoder, which reads labels with a second model."],
    ["bi-encoder-fused", "it is a fused bi-encoder, which reads labels with a second model."],
    ["encoder-decoder", "it is an encoder with a decoder, which read labels and text apart."],
    ["encoder-decoder-cls", "it is an encoder with a decoder, which read labels and text apart."],
    ["decoder-kv", "it is a decoder, as models that write text are."],
    ["toString", "it is of an architecture that umpire does not know."],
    [7, "it is of an architecture that umpire does not know."],
  ])("of the architecture %s is refused", (architecture, what) => {
    expect(refusal({ architecture_type: architecture })).toBe(
      `This GLiClass model is not a uni-encoder: ${what} Take one whose config.json says "uni-encoder".`,
    );
  });

  it("with segment embeddings, or with hardly any positions, is refused", () => {
    expect(refusal({ use_segment_embeddings: true })).toContain("has segment embeddings");
    expect(refusal({ encoder_config: { max_position_embeddings: 32 } })).toBe(
      "The model takes only 32 tokens at a time, and umpire needs 64 or more.",
    );
  });

  it("whose tokenizer does not mark labels, or marks them with another token, is refused", () => {
    expect(refusal({}, { idOf: () => undefined })).toContain("tokenizer.json has no token <<LABEL>>");
    expect(refusal({ class_token_index: 7 })).toMatch(/^<<LABEL>> is token \d+ in tokenizer\.json and 7 in config\.json/u);
    expect(refusal({ text_token_index: 7 })).toMatch(/^<<SEP>> is token \d+ in tokenizer\.json and 7 in config\.json/u);
    expect(gliclassKind({ ...config, class_token_index: -1 }, tokenizer).family).toBe("gliclass");
  });
});
