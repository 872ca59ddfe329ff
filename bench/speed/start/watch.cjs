// Loaded first into the program and into its worker (NODE_OPTIONS of cold-parts.mjs): notes when the parts of a cold start begin and end, from outside of
// the library. Each thread writes one line of JSON to file descriptor 3: times in ms since 1970.
const crypto = require("node:crypto");
const { writeSync } = require("node:fs");
const fs = require("node:fs/promises");
const { syncBuiltinESMExports } = require("node:module");
const { isMainThread, parentPort, workerData } = require("node:worker_threads");

const nowMs = () => performance.timeOrigin + performance.now();
const notes = { isMainThread, loadedMs: nowMs(), spans: [] };

function noted(part, work) {
  const span = { part, startMs: nowMs() };
  notes.spans.push(span);
  const ended = () => (span.endMs = nowMs());
  const result = work();
  if (result instanceof Promise) result.then(ended, ended);
  else ended();
  return result;
}

function note(object, method, part) {
  const before = object[method];
  if (before === undefined) return;
  object[method] = function (...given) {
    return noted(part, () => before.apply(this, given));
  };
}

/** Native methods cannot be replaced, but a class can be extended. */
function watchBinding(binding) {
  binding.InferenceSession = class extends binding.InferenceSession {
    loadModel(...given) {
      return noted("session", () => super.loadModel(...given));
    }
    run(...given) {
      return noted("run", () => super.run(...given));
    }
  };
}

function watchWorker() {
  const { dlopen } = process;
  process.dlopen = function (module, ...given) {
    noted("runtime", () => dlopen.call(this, module, ...given));
    if (module.exports.InferenceSession !== undefined) watchBinding(module.exports);
  };
  const { open } = fs;
  fs.open = async (...given) => {
    const span = { part: "read", startMs: nowMs() };
    const file = await open(...given);
    const close = file.close.bind(file);
    file.close = () => close().finally(() => notes.spans.push({ ...span, endMs: nowMs() }));
    return file;
  };
  note(crypto.Hash.prototype, "update", "verify");
  note(crypto, "hash", "verify");
  note(crypto.webcrypto.subtle, "digest", "verify");
  note(JSON, "parse", "parse");
  syncBuiltinESMExports();
  const { on, postMessage } = parentPort;
  parentPort.on = function (...given) {
    notes.readyMs ??= nowMs();
    return on.apply(this, given);
  };
  parentPort.postMessage = function (...given) {
    // First the outcome of the loading, then that of the call (src/library/worker/worker-engine.ts).
    if (notes.engineMs === undefined) notes.engineMs = nowMs();
    else if (notes.answeredMs === undefined) {
      notes.answeredMs = nowMs();
      writeSync(3, `${JSON.stringify(notes)}\n`);
    }
    return postMessage.apply(this, given);
  };
}

function watchProgram() {
  const threads = require("node:worker_threads");
  threads.Worker = class extends threads.Worker {
    constructor(...given) {
      notes.workerMs ??= nowMs();
      super(...given);
    }
  };
  syncBuiltinESMExports();
  process.on("exit", () => writeSync(3, `${JSON.stringify(notes)}\n`));
}

if (isMainThread) watchProgram();
else if (workerData?.guardMemory !== undefined) watchWorker();
