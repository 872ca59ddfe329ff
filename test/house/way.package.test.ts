import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeciderOn } from "../../src/library/decider/create-decider.ts";
import type { LazyDecider } from "../../src/library/decider/decider.ts";
import { withSessions, type Runtime } from "../../src/library/engine/runtime.ts";
import { loadNodeEngine, packFiles } from "../../src/library/platform/node/engine.ts";
import { nodePlatform } from "../../src/library/platform/node/platform.ts";
import { nodeRuntimes } from "../../src/library/platform/node/runtimes.ts";
import { PACKAGE_ROOT } from "../support/package-root.ts";
import { FakeWorker } from "../library/worker/fake-worker.ts";

/**
 * ARCHITECTURE.md, "The way of a decision": what one call passes between its caller and the model's run. The worker's side is on this thread, behind the same
 * channel. These may only shrink.
 */
const MAX_FILES = 24;
const MAX_FRAMES = { caller: 11, worker: 12 };

const DIST = new URL("dist/", PACKAGE_ROOT);
const about = (state: string) =>
  ({
    state,
    questions: { kind: { type: "choice", instructions: "What is this about?", criteria: { delivery: null, praise: null } } },
  }) as const;

let decider: LazyDecider;
const frames = { caller: [] as string[], worker: [] as string[] };

/** Our own frames of where this is called, from the inside out, those that await among them. */
function ownFrames(): string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const lines = (new Error().stack ?? "").split("\n");
  Error.stackTraceLimit = before;
  return lines.filter((line) => line.includes("/src/"));
}

function watched(runtime: Runtime): Runtime {
  const { InferenceSession } = withSessions(runtime, (session) => ({
    run: (...feeds) => {
      frames.worker = ownFrames();
      return session.run(...feeds);
    },
    release: () => session.release(),
  }));
  return { ...runtime, InferenceSession };
}

function startWorker(): FakeWorker {
  const runtimes = nodeRuntimes(DIST);
  const findNative: typeof runtimes.findNative = async () => {
    const binding = await runtimes.findNative();
    return "runtime" in binding ? { runtime: watched(binding.runtime) } : binding;
  };
  const worker = new FakeWorker((packUrl, options) => loadNodeEngine(packFiles(packUrl), { ...runtimes, findNative }, options));
  const { endpoint } = worker;
  const post = endpoint.postMessage.bind(endpoint);
  endpoint.postMessage = (message: { readonly path?: readonly string[] }, ...given) => {
    if (message.path?.[0] === "score") frames.caller = ownFrames();
    post(message, ...given);
  };
  return worker;
}

describe("a decide() whose model is loaded", () => {
  beforeAll(async () => {
    decider = createDeciderOn({ ...nodePlatform(DIST), startWorker });
    await decider.decide(about("The parcel never came, and nobody answers."));
  });
  afterAll(() => decider.close());

  it(`passes ${MAX_FILES} files of src/ at most`, async () => {
    const session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await decider.decide(about("Thank you, it works now."));
    const { result } = await session.post("Profiler.takePreciseCoverage");
    session.disconnect();
    const passed = result
      .filter(({ url, functions }) => url.includes("/src/") && functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0))
      .map(({ url }) => url.slice(url.lastIndexOf("/src/") + 1));
    expect(passed).toContain("src/library/decide/decide.ts");
    expect(passed.length, passed.join("\n")).toBeLessThanOrEqual(MAX_FILES);
  });

  it(`has ${MAX_FRAMES.caller} frames of ours before the worker, and ${MAX_FRAMES.worker} in it, at most`, async () => {
    await decider.decide(about("Where is my refund?"));
    for (const side of ["caller", "worker"] as const) {
      expect(frames[side].length).toBeGreaterThan(5);
      expect(frames[side].length, frames[side].join("\n")).toBeLessThanOrEqual(MAX_FRAMES[side]);
    }
  });
});
