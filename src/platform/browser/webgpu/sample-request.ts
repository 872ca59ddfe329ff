import type { Batch, Engine } from "../../../engine/engine.ts";

/** About 100 tokens and five options, like a usual request. */
const SAMPLE: Batch = {
  state: "The parcel arrived two days late, and its lid was cracked. ".repeat(8),
  questions: [
    {
      type: "choice",
      instructions: "What is this about?",
      options: ["billing", "a damaged item", "delivery", "praise", "something else"].map((text) => ({ text, sent: [], answer: null })),
    },
  ],
};

/** Milliseconds that the engine takes for the sample request: the better of two runs, because the first one also prepares. */
export async function sampleMs(engine: Engine): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 2; i++) {
    const start = performance.now();
    await engine.score(SAMPLE);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
