// Prints the time from process start to the first answer as one line of JSON. starts.mjs and cold-parts.mjs run it in a new process each time.
//   node cold.mjs [folder of a pack]    default: the built-in model, by decide()
import { pathToFileURL } from "node:url";
import { createDecider, decide } from "umpire";

const nowMs = () => performance.timeOrigin + performance.now();
const importedMs = nowMs();
const criteria = { billing: null, technical: null, other: null };
const request = {
  state: "My card was charged twice.",
  questions: { topic: { type: "choice", instructions: "What is this about?", criteria } },
};
const [folder] = process.argv.slice(2);
const decider = folder === undefined ? undefined : await createDecider({ model: pathToFileURL(folder) });
await (decider === undefined ? decide({ ...request, model: "umpire-2" }) : decider.decide(request));
const uptimeMs = process.uptime() * 1000;
console.log(JSON.stringify({ uptimeMs, rssBytes: process.memoryUsage.rss(), importedMs, answeredMs: nowMs() }));
await decider?.close();
