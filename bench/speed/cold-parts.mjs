// Prints the parts of one start as a line of JSON, in ms. The model runs on this thread, where reading, hashing and the runtime can be watched.
// starts.mjs runs it in a new process each time.
import crypto from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const startedMs = process.uptime() * 1000;
const startMs = performance.now();
/** When each part began and ended. Parts may run side by side. */
const seen = { reading: [], hashing: [], session: [], runs: [] };

/** @param atEnd is given what came of it, and the function to call at the part's end */
function watch(owner, name, part, atEnd = (_, end) => end()) {
  const original = owner[name];
  owner[name] = function (...given) {
    const beganMs = performance.now();
    const end = () => seen[part].push([beganMs, performance.now()]);
    const result = original.apply(this, given);
    if (!(result instanceof Promise)) end();
    else void result.then((value) => atEnd(value, end));
    return result;
  };
}

/** A file is being read until it is closed. */
function untilClosed(file, end) {
  const close = file.close.bind(file);
  file.close = () => close().finally(end);
}

watch(fs.promises, "open", "reading", untilClosed);
const { createHash } = crypto;
crypto.createHash = (...given) => {
  const hash = createHash(...given);
  watch(hash, "update", "hashing");
  watch(hash, "digest", "hashing");
  return hash;
};
syncBuiltinESMExports();

/** Length of what is covered by at least one of the spans. */
function covered(spans) {
  let [sum, endMs] = [0, -Infinity];
  for (const [from, to] of [...spans].sort((one, other) => one[0] - other[0])) {
    sum += Math.max(0, to - Math.max(from, endMs));
    endMs = Math.max(endMs, to);
  }
  return sum;
}

const { createDecider } = await import("umpire");
const importedMs = performance.now();
process.env.ORT_DISABLE_TELEMETRY ??= "1";
const { InferenceSession } = await import("onnxruntime-node");
watch(InferenceSession, "create", "session");
watch(InferenceSession.prototype, "run", "runs");
const bindingMs = performance.now();
const decider = await createDecider({ inline: true });
const loadedMs = performance.now();
const selfTestMs = covered(seen.runs);
const inLoadMs = covered(Object.values(seen).flat());
const criteria = { billing: null, technical: null, other: null };
await decider.decide({
  state: "My card was charged twice.",
  questions: { topic: { type: "choice", instructions: "What is this about?", criteria } },
});
const answeredMs = performance.now();
await decider.close();
console.log(
  JSON.stringify({
    "Node starts": startedMs,
    "import of umpire": importedMs - startMs,
    "import of the runtime": bindingMs - importedMs,
    "files read": covered(seen.reading),
    "files hashed": covered(seen.hashing),
    "sessions made": covered(seen.session),
    "self-test's runs": selfTestMs,
    "rest of loading": loadedMs - bindingMs - inLoadMs,
    "first answer": answeredMs - loadedMs,
    "in all, without a worker": startedMs + answeredMs - startMs,
  }),
);
