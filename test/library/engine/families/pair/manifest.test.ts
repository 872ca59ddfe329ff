import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { filesFor, parseManifest } from "../../../../../src/library/engine/families/families.ts";
import { AddedPack } from "../../../../support/added-pack.ts";
import { decideError } from "../../../../support/rejection.ts";

let text: string;
beforeAll(async () => {
  const pack = await AddedPack.make("xlm-roberta");
  text = await readFile(join(pack.folder, "manifest.json"), "utf8");
});

const refused = async (change: object): Promise<string[] | undefined> => {
  const error = await decideError(() => parseManifest(JSON.stringify({ ...(JSON.parse(text) as object), ...change })));
  expect(error.code).toBe("model_invalid");
  return error.issues?.map(({ loc }) => loc.join("."));
};

it("a pair model's manifest is read, and names the files of each precision, weights in files of their own among them", async () => {
  const manifest = await parseManifest(text);
  expect(manifest).toMatchObject({ family: "pair", graph: { inputs: ["input_ids", "attention_mask"], output: "logits" } });
  expect(await filesFor(manifest, { device: "cpu", precision: "fp32" })).toEqual(["tokenizer.json", "model.onnx", "model.onnx_data"]);
  await expect(filesFor(manifest, { device: "wasm", precision: "int8" })).rejects.toMatchObject({ code: "backend_unavailable" });
});

const E = "entailment";
it.each<[string, object, string[]]>([
  ["no labels", { labels: undefined }, ["labels"]],
  ["two of three labels", { labels: [E, "neutral"] }, ["labels"]],
  ["a label twice", { labels: [E, "neutral", "neutral"] }, ["labels"]],
  ["labels of both kinds", { labels: [E, "neutral", "not_entailment"] }, ["labels"]],
  ["an unknown label", { labels: [E, "perhaps"] }, ["labels.1", "labels"]],
  ["no tokenizer", { tokenizer: {} }, ["tokenizer.file"]],
  ["a tokenizer elsewhere", { tokenizer: { file: "../tokenizer.json" } }, ["tokenizer.file"]],
  ["a file that is not listed", { graphs: { fp32: { file: "other.onnx" } } }, ["graphs.fp32.file"]],
  ["weights elsewhere", { graphs: { fp32: { file: "model.onnx", externalData: ["/etc/x"] } } }, ["graphs.fp32.externalData.0"]],
  [
    "weights by a name that objects have",
    { graphs: { fp32: { file: "model.onnx", externalData: ["constructor"] } } },
    ["graphs.fp32.externalData.0"],
  ],
  ["no graph", { graphs: {} }, ["graphs"]],
  ["a graph of a precision that there is not", { graphs: { int4: { file: "model.onnx" } } }, ["graphs"]],
  [
    "an input that nobody feeds",
    { graph: { inputs: ["input_ids", "attention_mask", "position_ids"], output: "logits" } },
    ["graph.inputs.2"],
  ],
  ["no mask", { graph: { inputs: ["input_ids"], output: "logits" } }, ["graph.inputs"]],
  ["an input twice", { graph: { inputs: ["input_ids", "attention_mask", "input_ids"], output: "logits" } }, ["graph.inputs"]],
  ["no output", { graph: { inputs: ["input_ids", "attention_mask"] } }, ["graph.output"]],
  ["a template without an option", { templates: { choice: "This is {}.", noul: "{option}", score: "{option}" } }, ["templates.choice"]],
  ["two templates", { templates: { choice: "{option}", noul: "{option}" } }, ["templates.score"]],
])("a pair model's manifest with %s is refused", async (_, change, issues) => {
  const found = await refused(change);
  for (const issue of issues) expect(found).toContain(issue);
});
