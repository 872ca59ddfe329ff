// Prints the time from process start to the first answer as one line of JSON. starts.mjs and cold-parts.mjs run it in a new process each time.
import { decide } from "umpire";

const nowMs = () => performance.timeOrigin + performance.now();
const importedMs = nowMs();
const criteria = { billing: null, technical: null, other: null };
await decide({
  state: "My card was charged twice.",
  questions: { topic: { type: "choice", instructions: "What is this about?", criteria } },
});
const uptimeMs = process.uptime() * 1000;
console.log(JSON.stringify({ uptimeMs, rssBytes: process.memoryUsage.rss(), importedMs, answeredMs: nowMs() }));
