// Calls decide() without HTTP, in its own process. Asked { seconds, inFlight }, it keeps so many calls running for so long and reports the speed.
import { createDecider } from "umpire";
import { answerParent, givenRequest } from "./child.mjs";
import { percentiles } from "./figures.mjs";

const request = givenRequest();
// Without a cache, as the callers over HTTP ask about a new state each time.
const decider = await createDecider({ cacheBytes: 0 });
await decider.decide(request);

answerParent(
  async ({ seconds, inFlight }) => {
    const latencies = [];
    const startMs = performance.now();
    const isOver = () => performance.now() - startMs > seconds * 1000;
    const caller = async () => {
      while (!isOver()) {
        const callMs = performance.now();
        await decider.decide(request);
        latencies.push(performance.now() - callMs);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, caller));
    return { perSecond: (latencies.length * 1000) / (performance.now() - startMs), ...percentiles(latencies) };
  },
  () => decider.close(),
);
