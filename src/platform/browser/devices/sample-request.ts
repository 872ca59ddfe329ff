import type { Batch, Engine } from "../../../engine/engine.ts";

/** About 100 tokens and five options, like a usual request. */
const SAMPLE: Batch = {
  state:
    "I ordered the blue kettle on the third of May and paid with my card. Two days later the parcel arrived, but the lid was cracked and the cable was missing. I wrote to your support the same evening and sent three photos. Since then I have had two automatic replies and no answer from a person. On Monday I called and waited for forty minutes before the line went dead. I would like a new kettle, or my money back, before the end of this week.",
  questions: [
    {
      id: "",
      instructions: "What is this about?",
      options: ["billing", "a damaged item", "delivery", "praise", "something else"].map((text) => ({
        key: text,
        text,
        sent: [],
        answer: null,
      })),
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
