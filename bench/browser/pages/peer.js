// Uses transformers.js as its quick start for pages shows: the file from its CDN, on the page's own thread. Its pipeline runs the model once per label.
import { env, pipeline } from "/transformers/transformers.min.js";
import { FIRST_REQUEST } from "./first-request.js";

const HYPOTHESIS_TEMPLATE = "This is {}.";

const ask = (classify, { text, labels }) => classify(text, labels, { hypothesis_template: HYPOTHESIS_TEMPLATE, multi_label: false });

async function firstAnswer() {
  const at = { script: performance.now() };
  const { threads, device, dtype, runtime = ".asyncify" } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = "/models/";
  // The runtime build that it chooses by default, served from here instead of a CDN.
  const build = `${location.origin}/onnxruntime/ort-wasm-simd-threaded${runtime}`;
  env.backends.onnx.wasm.wasmPaths = { mjs: `${build}.mjs`, wasm: `${build}.wasm` };
  env.backends.onnx.wasm.numThreads = threads;
  const classify = await pipeline("zero-shot-classification", "pair", { device, dtype });
  at.loaded = performance.now();
  await ask(classify, FIRST_REQUEST);
  at.answer = performance.now();
  globalThis.ask = async (workload) => {
    const start = performance.now();
    await ask(classify, workload);
    return performance.now() - start;
  };
  return {
    at,
    info: {
      device,
      dtype,
      threads,
      isolated: crossOriginIsolated,
      transformers: env.version,
      onnxruntime: env.backends.onnx.versions?.web,
    },
  };
}

globalThis.first = firstAnswer();
