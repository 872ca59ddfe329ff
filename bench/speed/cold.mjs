// Prints the time from process start to the first answer as one line of JSON. starts.mjs runs it in a new process each time.
import { decide } from "umpire";

const criteria = { billing: null, technical: null, other: null };
await decide({
  state: "My card was charged twice.",
  questions: { topic: { type: "choice", instructions: "What is this about?", criteria } },
});
console.log(JSON.stringify({ uptimeMs: process.uptime() * 1000, rssBytes: process.memoryUsage.rss() }));
