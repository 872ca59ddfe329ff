// Answers many requests: reads one JSON request per line and prints one response per line, in the same order. A line that fails does not stop the
// others.
//   node examples/batch.mjs < requests.jsonl > answers.jsonl
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createDecider } from "umpire";

const decider = await createDecider();
for await (const { model, answers, usage, error } of decider.decideMany(requests())) {
  const { code, message, issues } = error ?? {};
  const response = error === undefined ? { model, answers, usage } : { error: { code, message, issues } };
  if (!process.stdout.write(`${JSON.stringify(response)}\n`)) await once(process.stdout, "drain");
}
await decider.close();

/** The next line is read when the decider wants one, so memory stays small for any length of input. */
async function* requests() {
  for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== "") yield parsed(line);
}

/** A line that is not JSON is no request: the decider says so, and goes on. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
