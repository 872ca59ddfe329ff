/**
 * Runs the peer as its users do: transformers.js' zero-shot classification with a pair model, on the CPU.
 *
 * The pipeline turns each label into a hypothesis and runs the model once per label, one after the other, on `premise, hypothesis` together, so
 * labels share no work on the text. Each call's time includes tokenising both texts again for every label.
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
 * @param {{ folder?: string, threads?: number, dtype?: "fp32" | "q8" }} [options] `dtype`: onnx/model.onnx or onnx/model_quantized.onnx. `threads`: onnxruntime's threads for one operator. By default the peer sets none and
 *   onnxruntime takes one for each physical core.
 */
export async function loadPairClassifier({ folder = MODEL_FOLDER, threads, dtype = "fp32" } = {}) {
  const sessionOptions = threads === undefined ? {} : { intraOpNumThreads: threads };
  const classify = await pipeline("zero-shot-classification", folder, {
    dtype,
    device: "cpu",
    session_options: sessionOptions,
  });
  const { tokenizer } = classify;
  const pairOf = (text, label) =>
    tokenizer(text, { text_pair: HYPOTHESIS_TEMPLATE.replace("{}", () => label), return_tensor: false }).input_ids;

  return {
    /** @returns {Promise<{ ms: number, labels: string[], scores: number[] }>} most likely label first; the scores add up to 1 */
    async answer({ text, labels }) {
      const start = performance.now();
      const answer = await classify(text, labels, { hypothesis_template: HYPOTHESIS_TEMPLATE, multi_label: false });
      return { ms: performance.now() - start, labels: answer.labels, scores: answer.scores };
    },

    /**
     * Tells how much of a request the peer reads. It silently cuts each pair to 512 tokens, at the end, where the hypothesis is. A text that fills
     * all positions leaves no hypothesis: every run reads the same tokens and every label gets the same score. The time is then that of so many
     * runs of 512 tokens, not that of an answer.
     *
     * @returns {{ tokens: number, tokensRead: number, truncated: boolean, labelsToldApart: boolean }} tokens of the longest pair,
     *   including [CLS] and both [SEP]; tokens left after the cut; whether any pair was cut; whether the remaining tokens differ between labels
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
