import { DecideError } from "../errors.ts";
import type { Engine, EngineInfo, Precision } from "./engine.ts";
import { damaged, openPack } from "./model-pack.ts";
import type { ModelPack, PackFiles } from "./model-pack.ts";
import type { Runtime } from "./runtime.ts";
import { SegmentReader } from "./segments.ts";
import { loadSession } from "./session.ts";
import { SharedPremiseEngine } from "./shared-premise.ts";
import { makeTokenize } from "./tokenize.ts";
import type { Tokenize } from "./tokenize.ts";

export interface LoadOptions {
  readonly precision: Precision;
  /** Threads inside one run of the model, 1 or more. */
  readonly threads: number;
}

/**
 * Loads a pack and proves that it works: every file is checked, and the engine must give the scores of the manifest's self-test.
 * @throws {DecideError} `model_invalid`, `backend_unavailable`
 */
export async function loadEngine(files: PackFiles, runtime: Runtime, options: LoadOptions): Promise<Engine> {
  const pack = await openPack(files);
  const { manifest } = pack;
  const tokenize = loadTokenizer(pack);
  const { session, graph } = await loadSession(pack, runtime, options);
  const { id, description, releaseDate, licence, family, limits, calibration } = manifest;
  const { precision, threads } = options;
  const info: EngineInfo = {
    model: id,
    description,
    releaseDate,
    licence,
    family,
    limits,
    calibration,
    device: "cpu",
    precision,
    graph,
    threads,
  };
  const reader = new SegmentReader(session, runtime, manifest);
  const engine = new SharedPremiseEngine({ info, manifest, reader, tokenize, release: () => session.release() });
  try {
    await checkSelfTest(engine, pack, files);
  } catch (error) {
    await engine.close();
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

/** Files that are whole can still not belong together. This also warms the session up. */
async function checkSelfTest(engine: Engine, pack: ModelPack, files: PackFiles): Promise<void> {
  const { state, instructions, options, scores, tolerance } = pack.manifest.selfTest;
  const { precision } = engine.info;
  const texts = options.map((text, i) => ({ key: String(i), text, sent: [], answer: null }));
  let measured: Float32Array;
  try {
    const { questions } = await engine.score({ state, questions: [{ id: "self-test", instructions, options: texts }] });
    measured = questions[0]?.scores ?? new Float32Array();
  } catch (cause) {
    const { graphs } = pack.manifest;
    throw new DecideError(
      "model_invalid",
      `The graph ${graphs[precision]} of the model in ${files.place} cannot answer its self-test: install the pack again.`,
      { cause },
    );
  }
  const expected = scores[precision];
  const same =
    measured.length === expected.length && measured.every((score, i) => Math.abs(score - (expected[i] ?? NaN)) <= tolerance[precision]);
  if (!same) throw damaged(files, pack.manifest.graphs[precision], "does not give the scores of the manifest's self-test");
}
