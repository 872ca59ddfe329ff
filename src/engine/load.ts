import { DecideError } from "../errors.ts";
import type { Device, Engine, EngineInfo, Precision } from "./engine.ts";
import type { Manifest } from "./pack/manifest.ts";
import { damaged, openPack } from "./pack/model-pack.ts";
import type { ModelPack, PackFiles } from "./pack/model-pack.ts";
import type { Runtime } from "./runtime.ts";
import { SegmentReader } from "./families/shared-premise/segments.ts";
import { filesFor, isOutOfMemory, loadSession, outOfMemory, unfit } from "./session.ts";
import type { GraphName } from "./session.ts";
import { SharedPremiseEngine } from "./families/shared-premise/engine.ts";
import { makeTokenize } from "./families/shared-premise/tokenize.ts";
import type { Tokenize } from "./families/shared-premise/tokenize.ts";

export interface LoadOptions {
  readonly device: Device;
  /** Why that device, in words, for `info()`. */
  readonly deviceReason: string;
  readonly precision: Precision;
  /** Threads inside one run of the model, 1 or more. */
  readonly threads: number;
}

/**
 * Loads a pack and proves that it works: every file is checked, and the engine must give the scores of the manifest's self-test. On a processor all
 * files of the pack are read, elsewhere those that the device needs.
 * @throws {DecideError} `model_invalid`, `backend_unavailable`
 */
export async function loadEngine(files: PackFiles, loadedRuntime: Runtime | Promise<Runtime>, options: LoadOptions): Promise<Engine> {
  const wanted = options.device === "cpu" ? undefined : (manifest: Manifest): string[] => filesFor(manifest, options);
  const [pack, runtime] = await Promise.all([openPack(files, wanted), loadedRuntime]);
  const { manifest } = pack;
  const tokenize = loadTokenizer(pack);
  const { session, graph } = await loadSession(pack, runtime, options);
  const { id, description, releaseDate, licence, family, limits, calibration } = manifest;
  const { device, deviceReason, precision, threads } = options;
  const info: EngineInfo = {
    model: id,
    description,
    releaseDate,
    licence,
    family,
    limits,
    calibration,
    device,
    deviceReason,
    precision,
    graph,
    threads,
  };
  const reader = new SegmentReader(session, runtime, manifest, device === "webgpu");
  const engine = new SharedPremiseEngine({ info, manifest, reader, tokenize, release: () => session.release() });
  try {
    await checkSelfTest(engine, pack, files);
  } catch (error) {
    // What failed first is what there is to say.
    await engine.close().catch(() => undefined);
    throw error;
  }
  return engine;
}

function loadTokenizer(pack: ModelPack): Tokenize {
  const { file } = pack.manifest.tokenizer;
  const text = new TextDecoder().decode(pack.read(file));
  try {
    return makeTokenize(JSON.parse(text));
  } catch (cause) {
    throw new DecideError(
      "model_invalid",
      `${file} is no tokenizer that this version of umpire reads: install the pack and umpire together.`,
      { cause },
    );
  }
}

/** Files that are whole can still not belong together, and a GPU's driver may compute what it likes. This also warms the session up. */
async function checkSelfTest(engine: Engine, pack: ModelPack, files: PackFiles): Promise<void> {
  const { state, instructions, options, scores, tolerance } = pack.manifest.selfTest;
  const { device, precision, graph } = engine.info;
  const file = pack.manifest.graphs[graph as GraphName] ?? graph;
  const texts = options.map((text, i) => ({ key: String(i), text, sent: [], answer: null }));
  let measured: Float32Array;
  try {
    const { questions } = await engine.score({ state, questions: [{ id: "self-test", instructions, options: texts }] });
    measured = questions[0]?.scores ?? new Float32Array();
  } catch (error) {
    const cause = DecideError.isInstance(error) ? (error.cause ?? error) : error;
    if (isOutOfMemory(cause)) throw outOfMemory(cause);
    if (device === "webgpu") throw unfit("cannot run it", cause);
    const message = `The graph ${file} of the model in ${files.place} cannot answer its self-test: install the pack again.`;
    throw new DecideError("model_invalid", message, { cause });
  }
  const expected = scores[precision === "fp16" ? "fp32" : precision];
  const allowed = tolerance[precision] ?? tolerance.int8;
  const same = measured.length === expected.length && measured.every((score, i) => Math.abs(score - (expected[i] ?? NaN)) <= allowed);
  if (same) return;
  if (device === "webgpu") throw unfit("does not give the scores of its self-test");
  throw damaged(files, file, "does not give the scores of the manifest's self-test");
}
