import { describe, expect, test } from "vitest";
import { modelId } from "../../../src/tools/models/installed.ts";

describe("a model's id", () => {
  test.each([
    ["cross-encoder/nli-deberta-v3-base", "nli-deberta-v3-base"],
    ["org/XLM-RoBERTa_Large.v2", "xlm-roberta_large.v2"],
    ["Größe 3 (NLI)", "gro-e-3-nli"],
    ["..", undefined],
    ["モデル", undefined],
    ["con", undefined],
    [`org/${"a".repeat(90)}`, "a".repeat(64)],
  ])("is made of the name %s", (name, id) => {
    if (id === undefined) expect(() => modelId(undefined, name, [])).toThrow(/Give one with --as/u);
    else expect(modelId(undefined, name, [])).toBe(id);
  });

  test.each(["", ".", "..", "../up", "a/b", "a\\b", "NLI", "naïve", "con", "nul.txt", "a.", "-a", "a b", "$&", "a".repeat(65), "a\n"])(
    "cannot be %j",
    (id) => {
      expect(() => modelId(id, "org/name", [])).toThrow(/1 to 64 lower-case letters/u);
    },
  );

  test("is not that of another model, or of none in particular", () => {
    expect(() => modelId(undefined, "org/nli", ["nli"])).toThrow(/There is a model nli already\. .*--as.* umpire models remove nli\./u);
    // What cannot be removed is not said to be.
    expect(() => modelId("latest", "org/name", [], ["latest"])).toThrow(
      /^latest is a name of umpire's own\. Give the model another id with --as, .*nli-base\.$/u,
    );
  });
});
