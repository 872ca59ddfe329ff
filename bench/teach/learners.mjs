// Ways to answer a question from examples. Each gives, for a draw, the probabilities of every test's options, and what of it may be acted on.
import { parseRequest, readLesson, teach, thresholdFor } from "./library.mjs";
import { readerOf } from "./readings.mjs";

/**
 * @typedef {import("./readings.mjs").Reading} Reading
 * @typedef {{ probabilities: Float64Array[], threshold?: (maxErrorRate: number) => number | undefined }} Answered
 */

/** The model alone. @param {readonly Reading[]} tests @returns {Answered} */
export function zeroShot(tests) {
  return { probabilities: tests.map(({ probabilities }) => probabilities) };
}

/**
 * A lesson of the library's.
 * @param {object} info of the engine
 * @param {object} question
 * @param {readonly Reading[]} examples
 * @param {readonly Reading[]} tests
 * @returns {Promise<Answered & { lesson: object }>}
 */
export async function taught(info, question, examples, tests) {
  const lesson = await teach(question, examples, readerOf(info, examples), {});
  const learned = (await readLesson(lesson)).taught;
  const [asked] = parseRequest({ state: "", questions: { label: question } }).questions;
  return {
    lesson,
    probabilities: tests.map(({ probabilities, features }) => learned.toProbabilities(asked, probabilities, features)),
    threshold: (maxErrorRate) => thresholdFor(learned.risk, maxErrorRate),
  };
}

/** The same head on sentence embeddings alone, as a user would put a classifier on them: nothing is known of the options' words. */
export function headOnEmbeddings(info, question, examples, tests) {
  const options = Object.keys(question.criteria).length;
  const even = new Float64Array(options).fill(1 / options);
  const standardised = standardiserOf(examples.map(({ embedding }) => embedding));
  const embedded = (readings) =>
    readings.map((reading) => ({ ...reading, probabilities: even, features: standardised(reading.embedding) }));
  return taught({ ...info, features: examples[0].embedding.length }, question, embedded(examples), embedded(tests));
}

/** Mean 0 and deviation 1 over the examples, then as long as the library's own features are on average. */
function standardiserOf(vectors) {
  const mean = vectors[0].map((_, i) => vectors.reduce((sum, vector) => sum + vector[i], 0) / vectors.length);
  const deviation = mean.map((m, i) => Math.sqrt(vectors.reduce((sum, vector) => sum + (vector[i] - m) ** 2, 0) / vectors.length));
  const scale = Math.sqrt(2 / mean.length);
  return (vector) => vector.map((value, i) => ((value - mean[i]) / (deviation[i] + 1e-6)) * scale);
}

/** The option whose examples' mean embedding is nearest by cosine; softmax of 10 times the cosine. Options without an example get the least. */
export function nearestCentroid(question, examples, tests) {
  const centroids = Object.keys(question.criteria).map((option) => {
    const own = examples.filter(({ answer }) => answer === option);
    return own.length === 0 ? undefined : unit(own[0].embedding.map((_, i) => own.reduce((sum, { embedding }) => sum + embedding[i], 0)));
  });
  return {
    probabilities: tests.map(({ embedding }) => {
      const weights = centroids.map((centroid) => Math.exp(10 * (centroid === undefined ? -1 : dot(unit(embedding), centroid))));
      const sum = weights.reduce((a, b) => a + b, 0);
      return Float64Array.from(weights, (weight) => weight / sum);
    }),
  };
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const unit = (vector) => vector.map((value) => value / Math.sqrt(dot(vector, vector)));
