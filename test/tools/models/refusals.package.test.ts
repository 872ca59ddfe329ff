import { cp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { addModel } from "../../../src/tools/models/add-model.ts";
import type { Wanted } from "../../../src/tools/models/add-model.ts";
import { ToolError } from "../../../src/tools/tool-error.ts";
import { openModelFolder } from "../../../src/tools/models/model-source.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { ModelFolder } from "./model-folder.ts";
import { FLOAT, INPUTS, INT32, LOGITS, tinyGraph } from "./tiny-graph.ts";
import type { TinyGraph } from "./tiny-graph.ts";

const PLAIN = "onnx/model.onnx";
const INT8 = "onnx/model_quantized.onnx";

let model: ModelFolder;
let home: string;

beforeEach(async () => {
  model = await ModelFolder.make();
  home = tempDir();
});

/** What adding the folder's model says, after a look at what it left. */
async function refusal(wanted: Partial<Wanted> = {}): Promise<string> {
  const source = await openModelFolder(model.path);
  const adding = { dist: new URL("dist/", PACKAGE_ROOT), confirm: () => Promise.resolve(), onStep: () => undefined };
  const asked = { id: "tiny", folder: join(home, "models", "tiny"), graphs: [PLAIN], ...wanted };
  const error: unknown = await addModel(source, asked, adding).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(await readdir(join(home, "models")).catch(() => [])).toEqual([]);
  expect(error).toBeInstanceOf(ToolError);
  const { message } = error as Error;
  // One plain sentence or a few, without where things lie on this machine.
  expect(message).toMatch(/^[A-Za-z][^\n]{20,500}[.)"]$/u);
  expect(message).not.toContain(dirname(model.path));
  return message;
}

const withArchitecture = (name: string) => (): Promise<void> => model.config((config) => (config["architectures"] = [name]));
const withGraph = (graph: TinyGraph) => (): Promise<void> => model.write(PLAIN, tinyGraph(graph));

describe("a model is refused in one clear sentence", () => {
  test.each<[what: string, change: () => Promise<unknown>, said: RegExp]>([
    ["that is no model", () => model.delete("config.json"), /no config\.json/u],
    ["whose configuration is no JSON", () => model.write("config.json", "{"), /config\.json is not a JSON object/u],
    ["whose configuration is a list", () => model.write("config.json", "[]"), /config\.json is not a JSON object/u],
    ["that gives features", withArchitecture("BertModel"), /features of a text \(embeddings\).*natural language inference/u],
    ["that fills in words", withArchitecture("BertForMaskedLM"), /fills in words/u],
    ["that writes", withArchitecture("LlamaForCausalLM"), /writes text/u],
    ["that writes from text", withArchitecture("T5ForConditionalGeneration"), /writes text/u],
    ["that labels words", withArchitecture("BertForTokenClassification"), /labels single words/u],
    ["that finds answers", withArchitecture("BertForQuestionAnswering"), /finds answers/u],
    ["that rewards", withArchitecture("LlamaForRewardModel"), /rewards/u],
    ["that ranks", () => model.label(["LABEL_0"]), /one number, as rankers and reward models do/u],
    ["without names of labels", () => model.label(["LABEL_0", "LABEL_1", "LABEL_2"]), /LABEL_0, LABEL_1, LABEL_2.*--labels contradiction/u],
    ["of another kind", () => model.label(["joy", "anger", "\u001b[31m"]), /It has 3: joy, anger, \(unprintable\)\./u],
    ["with many labels", () => model.label(Array.from({ length: 40 }, (_, i) => `topic ${i}`)), /topic 9 and 30 more/u],
    ["with two entailments", () => model.label(["entailment", "ENTAILMENT", "neutral"]), /not those of natural language inference/u],
    [
      "without labels",
      () =>
        model.config((config) => {
          ["id2label", "label2id"].forEach((name) => (config[name] = undefined));
        }),
      /does not name/u,
    ],
    [
      "that contradicts itself",
      () => model.config((config) => (config["label2id"] = { entailment: 0, neutral: 1, contradiction: 2 })),
      /contradicts itself/u,
    ],
    ["that reads next to nothing", () => model.config((config) => (config["max_position_embeddings"] = 40)), /takes 40 tokens/u],
    ["without a tokenizer", () => model.delete("tokenizer.json"), /no tokenizer\.json, so/u],
    [
      "with a slow tokenizer",
      () => Promise.all([model.delete("tokenizer.json"), model.write("vocab.txt", "a")]),
      /only a tokenizer for Python \(vocab\.txt\).*save_pretrained/u,
    ],
    [
      "with a broken tokenizer",
      () => model.write("tokenizer.json", '{"model":{"type":"Nothing"}}'),
      /does not read the model's tokenizer: /u,
    ],
    ["with a pointer for a tokenizer", () => model.write("tokenizer.json", lfsPointer), /tokenizer\.json is only a pointer of git-lfs/u],
    ["with a pointer for a graph", () => model.write(PLAIN, lfsPointer), /onnx\/model\.onnx is only a pointer of git-lfs/u],
    ["with an empty graph", () => model.write(PLAIN, ""), /is empty/u],
    ["whose graph is no ONNX", () => model.write(PLAIN, "<html>Not found</html>"), /cannot be read: it is no ONNX file/u],
    [
      "whose graph is cut",
      async () => model.write(PLAIN, (await readFile(model.file(PLAIN))).subarray(0, 30_000)),
      /no ONNX file, or not a whole/u,
    ],
    ["with unknown inputs", withGraph({ inputs: [...INPUTS, { name: "bbox", type: FLOAT, sizes: [null] }] }), /takes bbox/u],
    [
      "that is a decoder",
      withGraph({ inputs: [...INPUTS, { name: "encoder_hidden_states", type: FLOAT, sizes: [] }] }),
      /part of a model that writes text/u,
    ],
    ["without a mask", withGraph({ inputs: INPUTS.slice(0, 1) }), /does not take attention_mask/u],
    ["with int32 inputs", withGraph({ inputs: INPUTS.map((end) => ({ ...end, type: INT32 })) }), /input_ids as int32, not as int64/u],
    ["with hidden states", withGraph({ outputs: [{ ...LOGITS, name: "last_hidden_state" }] }), /features of a text \(last_hidden_state\)/u],
    [
      "with several outputs",
      withGraph({ outputs: ["a", "b"].map((name) => ({ ...LOGITS, name })) }),
      /2 outputs \(a, b\), none of them called logits/u,
    ],
    ["with logits for words", withGraph({ outputs: [{ ...LOGITS, sizes: [null, null, 3] }] }), /numbers for every word/u],
    ["with more logits than labels", withGraph({ outputs: [{ ...LOGITS, sizes: [null, 5] }] }), /5 numbers.*3 labels/u],
    ["without its weights", withGraph({ externalFile: "model.onnx_data" }), /weights in onnx\/model\.onnx_data, which is not there/u],
    ["with weights elsewhere", withGraph({ externalFile: "../../secret" }), /under a path that umpire cannot use/u],
  ])("%s", async (_what, change, said) => {
    await change();
    expect(await refusal()).toMatch(said);
  });

  // The runtime's own refusals.
  test("with operators of a version that is to come", async () => {
    await withGraph({ opset: 99, nodes: [{ type: "Identity", inputs: ["attention_mask"], outputs: ["logits"] }] })();
    expect(await refusal()).toMatch(/version 99 of ONNX's operators \(opset\).*up to \d+\. Export/u);
  });

  test("with operators of somebody's own", async () => {
    const node = { type: "Judge", domain: "my.lab", inputs: ["input_ids"], outputs: ["logits"] };
    await withGraph({ domains: ["my.lab"], nodes: [node] })();
    expect(await refusal()).toMatch(/operators that onnxruntime does not have: my\.lab:Judge/u);
  });

  test("whose graph says nothing", async () => {
    await withGraph({})();
    expect(await refusal()).toMatch(/onnxruntime refuses onnx\/model\.onnx: /u);
  });

  test("without any graph", async () => {
    for (const path of [PLAIN, INT8]) await model.delete(path);
    await writeFile(model.file("model.safetensors"), "x");
    expect(await refusal({ graphs: [] })).toMatch(/no graph in ONNX.*\(model\.safetensors\).*optimum-cli/u);
  });
});

test.each(["LICENSE", PLAIN])(
  "a link out of the folder is refused, so that nothing else of this machine gets into a pack: %s",
  async (path) => {
    const elsewhere = join(home, "elsewhere");
    await cp(model.file(PLAIN), elsewhere);
    await rm(model.file(path), { force: true });
    await symlink(elsewhere, model.file(path));
    expect(await refusal()).toBe(`${path} is a link that leads out of the model's folder. Put the file itself in its place.`);
  },
);

describe("what a person asks for is refused", () => {
  test.each<[what: string, wanted: Partial<Wanted>, said: RegExp]>([
    ["a graph that there is not", { graphs: ["onnx/other.onnx"] }, /no such graph.*onnx\/model\.onnx, onnx\/model_quantized\.onnx/u],
    ["a template without an option", { template: "This is it." }, /no \{option\}/u],
    ["a template with two", { template: "{option} {option}" }, /twice/u],
    ["labels of another kind", { labels: "joy,anger,love" }, /must be entailment, neutral and contradiction/u],
    ["labels for another number", { labels: "entailment,not_entailment" }, /3 numbers.*2 labels/u],
    ["half precision alone", { graphs: ["onnx/half.onnx"] }, /fp16.*Give both/u],
    ["two graphs of one precision", { graphs: [PLAIN, "onnx/copy.onnx"] }, /both compute in fp32/u],
  ])("%s", async (_what, wanted, said) => {
    await model.write("onnx/copy.onnx", await readFile(model.file(PLAIN)));
    await model.write("onnx/half.onnx", await readFile(new URL("test/fixtures/models/roberta/onnx/model_fp16.onnx", PACKAGE_ROOT)));
    expect(await refusal(wanted)).toMatch(said);
  });
});

const lfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
