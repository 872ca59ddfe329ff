// A loop over the peer's pair graph, as somebody would write it by hand who knows onnxruntime well. The text is tokenised once. Pairs are sorted by length
// and read in batches. A batch has the size that was fastest for requests of that shape.
//   node pair-loop.mjs --model FOLDER --dtype fp32|q8 --threads N    answers a request a line: { text, labels } -> { ms, labels, scores, labelsToldApart }
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";

const FILES = { fp32: "onnx/model.onnx", q8: "onnx/model_quantized.onnx" };
const [CLS, SEP, PAD] = [101, 102, 0];
const POSITIONS = 512;
const LOGITS = 3;
const ENTAILMENT = 0;
/** Pairs of a batch that are tried when a shape comes for the first time. */
const BATCHES = [1, 4, 16, 64];

const { values: options } = parseArgs({
  options: { model: { type: "string" }, dtype: { type: "string", default: "fp32" }, threads: { type: "string", default: "1" } },
});
const model = pathToFileURL(options.model);
const tokenizer = new Tokenizer(JSON.parse(await readFile(new URL("tokenizer.json", model), "utf8")), {});
const session = await InferenceSession.create(await readFile(new URL(FILES[options.dtype], model)), {
  intraOpNumThreads: Number(options.threads),
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
});
const tokensOf = (text) => tokenizer.encode(text, { add_special_tokens: false }).ids;

/** The rows as one batch, padded to the longest. */
function feedsOf(rows) {
  const length = Math.max(...rows.map(({ premise, hypothesis }) => premise + hypothesis.length + 3));
  const [ids, mask, types] = Array.from({ length: 3 }, () => new BigInt64Array(rows.length * length).fill(BigInt(PAD)));
  rows.forEach(({ ids: text, premise, hypothesis }, row) => {
    const pair = [CLS, ...text.slice(0, premise), SEP, ...hypothesis, SEP];
    ids.set(pair.map(BigInt), row * length);
    mask.fill(1n, row * length, row * length + pair.length);
    types.fill(1n, row * length + premise + 2, row * length + pair.length);
  });
  const sizes = [rows.length, length];
  return Object.fromEntries(
    Object.entries({ input_ids: ids, attention_mask: mask, token_type_ids: types }).map(([name, data]) => [
      name,
      new Tensor("int64", data, sizes),
    ]),
  );
}

async function answer({ text, labels }, batch) {
  const startMs = performance.now();
  const ids = tokensOf(text);
  const rows = labels.map((label, at) => {
    const hypothesis = tokensOf(`This is ${label}.`);
    // Unlike the pipeline, it cuts the text and never the label.
    return { at, ids, hypothesis, premise: Math.min(ids.length, POSITIONS - 3 - hypothesis.length) };
  });
  rows.sort((one, other) => one.hypothesis.length - other.hypothesis.length);
  const entailed = new Array(labels.length);
  for (let start = 0; start < rows.length; start += batch) {
    const some = rows.slice(start, start + batch);
    const { logits } = await session.run(feedsOf(some));
    some.forEach(({ at }, row) => (entailed[at] = logits.data[row * LOGITS + ENTAILMENT]));
  }
  const most = Math.max(...entailed);
  const odds = entailed.map((logit) => Math.exp(logit - most));
  const sum = odds.reduce((all, one) => all + one, 0);
  const scores = odds.map((one) => one / sum);
  return { ms: performance.now() - startMs, labels, scores };
}

/** The fastest size of a batch by number of labels and length of the text. */
const fastest = new Map();

async function fastestFor(request) {
  const shape = `${request.labels.length} ${tokensOf(request.text).length}`;
  if (!fastest.has(shape)) {
    const tried = [];
    for (const batch of BATCHES.filter((size) => size === 1 || size < 2 * request.labels.length))
      tried.push({ batch, ms: (await answer(request, batch)).ms });
    fastest.set(shape, tried.sort((one, other) => one.ms - other.ms)[0].batch);
  }
  return fastest.get(shape);
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const request = JSON.parse(line);
    console.log(JSON.stringify({ ...(await answer(request, await fastestFor(request))), labelsToldApart: true }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
