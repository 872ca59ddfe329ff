// Answers a request a line with an added model, as bench/peers/zero-shot.mjs --serve does: node own.mjs <pack>
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createDecider } from "umpire";

const decider = await createDecider({ model: pathToFileURL(`${process.argv[2]}/`) });
for await (const line of createInterface({ input: process.stdin })) {
  const { text, labels } = JSON.parse(line);
  const criteria = Object.fromEntries(labels.map((label) => [label, null]));
  const start = performance.now();
  const { answers } = await decider.decide({ state: text, questions: { topic: { type: "choice", criteria } } });
  const ms = performance.now() - start;
  console.log(JSON.stringify({ ms, rssBytes: process.memoryUsage.rss(), labels: Object.keys(answers.topic.probabilities) }));
}
await decider.close();
