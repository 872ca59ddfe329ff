// Classifies premise and hypothesis the way the model was trained: the premise is the state, the hypothesis is an option without a question, and
// the three logits stand for entailment, neutral and contradiction. The public API returns one score per option, which cannot tell the three
// apart, so this runs the pack's graph with the library's internal parts. The result is not calibrated: the manifest has no temperature for it.
import {
  DEVICES,
  findNativeBinding,
  loadGraph,
  openPackIn,
  outcomeOfProbabilities,
  sequenceOf,
  readTokenizer,
  runtimeOf,
  joinCaches,
  segmentReader,
  toWindows,
} from "./library.mjs";
import { LABELS, OTHER } from "./read-nli.mjs";

/**
 * Opens a pack for classifying premises and hypotheses.
 * @param {URL} pack folder, ends in a slash
 * @param {{ precision: "int8" | "fp32", threads: number }} options
 */
export async function openNli(pack, { precision, threads }) {
  const opened = await openPackIn(pack.href);
  const { manifest } = opened;
  const runtime = runtimeOf(await findNativeBinding());
  const { session } = await loadGraph(opened, runtime, { device: "cpu", precision, threads });
  const reader = segmentReader(session, runtime, manifest, DEVICES.cpu);
  const { tokenize } = await readTokenizer(opened);
  const { windowTokens, overlapTokens } = manifest.limits;

  const readPremise = async (tokens) => {
    const caches = [];
    for (const { start, length } of toWindows(tokens.length, windowTokens - 2, overlapTokens)) {
      const { cache } = await reader.read(sequenceOf({ window: tokens.slice(start, start + length) }, manifest.tokenizer));
      caches.push(cache);
    }
    return joinCaches(caches, runtime);
  };
  return {
    /**
     * @param {import("./read-nli.mjs").NliRow} row
     * @param {readonly string[]} labels of the row's set
     * @returns {Promise<import("../../src/tools/eval/report.ts").Outcome>}
     */
    judge: async ({ premise, hypothesis, label }, labels) => {
      const state = await readPremise(tokenize(premise));
      const logits = await reader.score(sequenceOf({ options: [tokenize(hypothesis)] }, manifest.tokenizer), state);
      return outcomeOfProbabilities("nli", probabilities(logits, manifest.labels, labels), label);
    },
    release: () => session.release(),
  };
}

/** Softmax of the three logits. Neutral and contradiction are added up for sets that only label entailment. */
function probabilities(logits, order, labels) {
  const largest = Math.max(...logits);
  const weights = LABELS.map((label) => Math.exp(logits[order.indexOf(label)] - largest));
  const total = weights.reduce((a, b) => a + b);
  const [entailment, neutral, contradiction] = weights.map((weight) => weight / total);
  const of = { entailment, neutral, contradiction, [OTHER]: neutral + contradiction };
  return Object.fromEntries(labels.map((label) => [label, of[label]]));
}
