// What the model makes of every text of a set: read once, however often it is an example or a test.
import { nodePlatform, parseRequest, readQuestion } from "./library.mjs";

/**
 * @typedef {object} Reading
 * @property {string} state
 * @property {string} answer the right one
 * @property {Float64Array} probabilities [options], by the pack's calibration
 * @property {Float32Array | undefined} features
 */

/** Opens the engine of a pack in models/ on this thread. @param {string} model its id @param {number} threads */
export async function openReader(model, threads) {
  const platform = nodePlatform(new URL("../../dist/", import.meta.url));
  const engine = await platform.loadInline(new URL(`../../models/${model}/`, import.meta.url).href, { device: "cpu", threads });
  const scorer = { score: async (batch, signal) => ({ info: engine.info, scores: await engine.score(batch, signal) }) };
  const find = () => Promise.resolve(scorer);
  return {
    info: engine.info,
    /** @param {import("./sets.mjs").TaughtSet} set @returns {Promise<Reading[]>} */
    async read({ question, rows }) {
      const readings = [];
      for (const { state, answer } of rows) {
        const { probabilities, features } = await readQuestion(parseRequest({ state, questions: { label: question } }), find);
        readings.push({ state, answer, probabilities, features });
      }
      return readings;
    },
    close: () => engine.close(),
  };
}

/** Readings as a model to teach, and to ask. @param {object} info of the engine @param {readonly Reading[]} readings */
export function readerOf(info, readings) {
  const byState = new Map(readings.map((reading) => [reading.state, reading]));
  return {
    read: async ({ state }) => {
      const { probabilities, features } = byState.get(state);
      return { info, probabilities, features };
    },
  };
}
