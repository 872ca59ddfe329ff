// Those who answer rows in turns, each `{ name, answer(count), close() }`: the bare engine and decideMany, in this process.
import { createDecider } from "umpire";
import { EnginePool, parseRequest, platform, toBatch } from "../accuracy/library.mjs";
import { questionsOf, states } from "./rows.mjs";

/** One pool a worker, each with calls of its own: there is nothing between the loop and the engine. */
export async function bareEngine({ workers, threads, tokens, options }) {
  const [pack] = await platform.builtIn();
  const settings = { device: "auto", precision: undefined, threads, cacheBytes: 0, inline: false };
  const pools = Array.from({ length: workers }, () => new EnginePool(platform, pack.url, settings));
  await Promise.all(pools.map((pool) => pool.info()));
  const batch = toBatch(parseRequest({ state: "any", questions: questionsOf(options) }));
  const texts = states(tokens);
  // As many calls as decideMany has in hand, so that no worker waits.
  const inHand = 2 * workers + 1;
  return {
    name: "bare engine",
    async answer(count) {
      let left = count;
      const answerRest = async (pool) => {
        while (left-- > 0) await pool.score({ ...batch, state: texts.next().value });
      };
      await Promise.all(Array.from({ length: inHand }, (_, i) => answerRest(pools[i % workers])));
    },
    close: () => Promise.all(pools.map((pool) => pool.close())),
  };
}

/** An iteration for each turn. */
export async function decideMany({ workers, threads, tokens, options }) {
  const decider = await createDecider({ workers, threads, cacheBytes: 0 });
  const texts = states(tokens);
  function* few(count) {
    for (let i = 0; i < count; i++) yield texts.next().value;
  }
  /** @param onRow called after each row with the number of rows so far */
  async function answer(count, onRow = () => undefined) {
    for await (const { index, error } of decider.decideMany(few(count), { questions: questionsOf(options) })) {
      if (error !== undefined) throw error;
      onRow(index + 1);
    }
  }
  return { name: "decideMany", info: await decider.info(), answer, close: () => decider.close() };
}
