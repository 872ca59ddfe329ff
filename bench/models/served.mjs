// Answers a request a line, in a process of its own: node served.mjs [pack]   default: the built-in model
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createDecider } from "umpire";

const pack = process.argv[2];
const decider = await createDecider({ cacheBytes: 0, ...(pack && { model: pathToFileURL(`${pack}/`) }) });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const start = performance.now();
  const { usage } = await decider.decide(request);
  const ms = performance.now() - start;
  console.log(JSON.stringify({ ms, rssBytes: process.memoryUsage.rss(), inputTokens: usage.input_tokens }));
}
await decider.close();
