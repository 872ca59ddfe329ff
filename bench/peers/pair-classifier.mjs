/**
 * The peer as its users have it: transformers.js' zero-shot classification over a pair model, in fp32 on the CPU.
 *
 * The pipeline makes one hypothesis of each label and runs the model once a label, one after the other, on `premise, hypothesis`
 * together: nothing of the text's reading is shared. Tokenising both, for every label anew, is part of a call and of its time.
 */
import { fileURLToPath } from "node:url";
import { env, pipeline } from "@huggingface/transformers";

const HYPOTHESIS_TEMPLATE = "This is {}.";
export const MODEL_FOLDER = fileURLToPath(new URL(".model/", import.meta.url));

env.allowRemoteModels = false;
env.useFSCache = false;

export const versions = {
  node: process.versions.node,
  transformers: env.version,
  onnxruntimeNode: env.backends.onnx.versions.node,
};

/**
 * @param {{ folder?: string, threads?: number }} [options] `threads`: onnxruntime's threads for one operator. Default: the peer's
 *   own, which sets none, so that onnxruntime takes one for each physical core.
 */
export async function loadPairClassifier({ folder = MODEL_FOLDER, threads } = {}) {
  const sessionOptions = threads === undefined ? {} : { intraOpNumThreads: threads };
  const classify = await pipeline("zero-shot-classification", folder, {
    dtype: "fp32",
    device: "cpu",
    session_options: sessionOptions,
  });
  const { tokenizer } = classify;
  const pairOf = (text, label) =>
    tokenizer(text, { text_pair: HYPOTHESIS_TEMPLATE.replace("{}", () => label), return_tensor: false }).input_ids;

  return {
    /** @returns {Promise<{ ms: number, labels: string[], scores: number[] }>} surest label first; the scores' sum is 1 */
    async answer({ text, labels }) {
      const start = performance.now();
      const answer = await classify(text, labels, { hypothesis_template: HYPOTHESIS_TEMPLATE, multi_label: false });
      return { ms: performance.now() - start, labels: answer.labels, scores: answer.scores };
    },

    /**
     * How much of a request the peer reads. It cuts each pair after the last position (512 tokens), silently, and at the pair's end,
     * where the hypothesis stands. A text that fills the positions by itself leaves no hypothesis: every run reads the same tokens and
     * every label has the same score. Its time is then that of so many runs of 512 tokens, not that of an answer.
     *
     * @returns {{ tokens: number, tokensRead: number, truncated: boolean, labelsToldApart: boolean }} tokens of the longest pair, [CLS]
     *   and both [SEP] included; those left after the cut; whether any pair was cut; whether what is left differs from label to label
     */
    reading({ text, labels }) {
      const limit = tokenizer.model_max_length;
      const pairs = [...new Set(labels)].map((label) => pairOf(text, label));
      const tokens = Math.max(...pairs.map((pair) => pair.length));
      const left = new Set(pairs.map((pair) => pair.slice(0, limit).join(" ")));
      const labelsToldApart = left.size === pairs.length;
      return { tokens, tokensRead: Math.min(tokens, limit), truncated: tokens > limit, labelsToldApart };
    },
  };
}
