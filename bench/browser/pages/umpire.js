// Uses umpire as pages do, with its engine in a worker. The URL holds the options for createDecider().
import { createDecider } from "/umpire/index.browser.js";
import { FIRST_REQUEST } from "./first-request.js";

const ask = (decider, { text, labels }) => {
  const criteria = Object.fromEntries(labels.map((label) => [label, null]));
  return decider.decide({ state: text, questions: { topic: { type: "choice", instructions: "What is this text about?", criteria } } });
};

/** Records the page's age in ms at each stage. The last progress report marks the end of fetching, from the cache or from the server. */
async function firstAnswer() {
  const at = { script: performance.now() };
  const onProgress = () => {
    at.firstByte ??= performance.now();
    at.fetched = performance.now();
  };
  const decider = await createDecider({ ...JSON.parse(decodeURIComponent(location.hash.slice(1))), onProgress });
  at.loaded = performance.now();
  await ask(decider, FIRST_REQUEST);
  at.answer = performance.now();
  globalThis.ask = async (workload) => {
    const start = performance.now();
    await ask(decider, workload);
    return performance.now() - start;
  };
  globalThis.decide = async (json) => JSON.stringify(await decider.decide(JSON.parse(json)));
  const { device, deviceReason, precision, threads, graph, model, download } = await decider.info();
  return { at, info: { device, deviceReason, precision, threads, graph, model, download } };
}

globalThis.first = firstAnswer();
