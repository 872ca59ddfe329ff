import type { Batch, Engine } from "../../../engine/engine.ts";

/** About 100 tokens and five options, like a usual request. Each run has a state of its own, which the engine has not kept. */
const sample = (days: string): Batch => ({
  state: `The parcel arrived ${days} days late, and its lid was cracked. `.repeat(8),
  questions: [
    {
      type: "choice",
      instructions: "What is this about?",
      options: ["billing", "a damaged item", "delivery", "praise", "something else"].map((text) => ({ text, sent: [], answer: null })),
    },
  ],
});

/** Milliseconds that the engine takes for the sample request: the better of two runs, because the first one also prepares. */
export async function sampleMs(engine: Engine): Promise<number> {
  const times: number[] = [];
  for (const days of ["two", "six"]) {
    const start = performance.now();
    await engine.score(sample(days));
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
