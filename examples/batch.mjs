// Answers many requests: reads one JSON request per line and prints one response per line, in the same order. A line that fails does not stop the
// others.
//   node examples/batch.mjs < requests.jsonl > answers.jsonl
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createDecider, DecideError } from "umpire";

/** Requests to read ahead. The model answers them one by one. A few in hand keep it busy, and memory stays small for any length of input. */
const IN_HAND = 8;

const decider = await createDecider();
const waiting = [];
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  waiting.push(answer(line));
  if (waiting.length >= IN_HAND) await write(await waiting.shift());
}
for (const result of waiting) await write(await result);
await decider.close();

/** Returns the response or the error; never throws. */
async function answer(line) {
  try {
    return await decider.decide(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return { error: { code: "invalid_request", message: "The line is not valid JSON." } };
    if (!DecideError.isInstance(error)) throw error;
    const { code, message, issues } = error;
    return { error: { code, message, issues } };
  }
}

async function write(result) {
  if (!process.stdout.write(`${JSON.stringify(result)}\n`)) await once(process.stdout, "drain");
}
