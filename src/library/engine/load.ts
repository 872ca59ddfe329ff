import { DecideError } from "../../errors.ts";
import { counted, elementAt } from "../validation/expect.ts";
import { DEVICES, isOutOfMemory, outOfMemory, unfit } from "./devices.ts";
import type { Engine, EngineInfo, Precision, QuestionScores } from "./engine.ts";
import { filesFor, hasFilesFor, loadModel, parseManifest, type Manifest } from "./families/families.ts";
import { MANIFEST } from "./pack/manifest.ts";
import { damaged, openPack, type ModelPack, type PackFiles } from "./pack/open-pack.ts";
import { queuedEngine, type Model } from "./queued-engine.ts";
import type { Runtime, Placement } from "./runtime.ts";

/** Where a pack is to run. */
export interface Place extends Omit<Placement, "precision"> {
  /** The first one that the pack has is taken. */
  readonly precisions: readonly [Precision, ...Precision[]];
  /** Why that device, in words, for `info()`. */
  readonly deviceReason: string;
  /** Bytes of states that may stay read after their call has ended; 0 keeps none. Default: 0. */
  readonly cacheBytes?: number;
  /** It may still be loading. */
  readonly runtime: Runtime | Promise<Runtime>;
}

/** Called once. For a local pack: once the reading of its files has begun, because to load a native library holds the thread, and the files come meanwhile. */
type FindPlace = () => Promise<Place>;

/**
 * Loads a pack and proves that it works: every file is checked, and the engine must give the scores of the manifest's self-test.
 * @throws {DecideError} `model_invalid`, `backend_unavailable`
 */
export async function loadEngine(files: PackFiles, findPlace: FindPlace): Promise<Engine> {
  const { engine, model, manifest } = await load(files, findPlace);
  try {
    await checkSelfTest(engine, model.graphFile, manifest, files);
    // Nobody asks about the self-test's state again.
    model.forget();
  } catch (error) {
    // The first failure is the one to report.
    await engine.close().catch(() => undefined);
    throw error;
  }
  return engine;
}

/**
 * As `loadEngine`, but without the self-test: for a pack that is being made, whose scores nobody knows yet.
 * @throws {DecideError} `model_invalid`, `backend_unavailable`
 */
export async function loadUntested(files: PackFiles, findPlace: FindPlace): Promise<Engine> {
  return (await load(files, findPlace)).engine;
}

async function load(
  files: PackFiles,
  findPlace: FindPlace,
): Promise<{ readonly engine: Engine; readonly model: Model; readonly manifest: Manifest }> {
  let finding: Promise<Place> | undefined;
  const found = (): Promise<Place> => {
    if (finding !== undefined) return finding;
    finding = findPlace();
    // Both may fail before anybody waits for them. Whoever does is told why.
    finding.then(({ runtime }) => runtime).catch(() => undefined);
    return finding;
  };
  const wanted = async (manifest: Manifest): Promise<readonly string[]> => {
    if (!files.areLocal) return filesFor(manifest, await placementFor(manifest, await found()));
    // A later turn of the event loop: then the files have been asked for.
    setTimeout(() => void found());
    // All files of a folder are read, so that damage is found before it matters; what must be fetched is read only if it is needed.
    return Object.keys(manifest.files);
  };
  const parse = (text: string, seal: string): Manifest | Promise<Manifest> =>
    // It was checked when the package was built.
    files.isOfThisBuild?.(seal) ? (JSON.parse(text) as Manifest) : parseManifest(text);
  const pack = await openPack(files, parse, wanted);
  const { runtime, cacheBytes, ...place } = await found();
  const loaded = await runtime;
  const placement = await placementFor(pack.manifest, place);
  const model = await loadModel(pack, loaded, placement, cacheBytes);
  try {
    await pack.finish();
  } catch (error) {
    // The first failure is the one to report.
    await model.release().catch(() => undefined);
    throw error;
  }
  return { engine: queuedEngine(model, infoOf(pack, placement, model)), model, manifest: pack.manifest };
}

/** The placement in the first of the precisions that the pack has; in the very first if it has none: the family then says what is missing. */
async function placementFor(manifest: Manifest, { precisions, ...rest }: Omit<Place, "runtime">): Promise<ReasonedPlacement> {
  for (const precision of precisions) if (await hasFilesFor(manifest, { ...rest, precision })) return { ...rest, precision };
  return { ...rest, precision: precisions[0] };
}

type ReasonedPlacement = Placement & Pick<Place, "deviceReason">;

function infoOf({ manifest, seal }: ModelPack<Manifest>, placement: ReasonedPlacement, { graph, features }: Model): EngineInfo {
  const { id: model, description, releaseDate, licence, family, source, limits, calibration } = manifest;
  const facts = { model, description, releaseDate, licence, family, ...(source && { source }), seal, features, limits, calibration };
  return { ...facts, ...placement, graph };
}

/** Files that are whole may still not belong together, and a GPU's driver may compute anything. The self-test also warms up the session. */
async function checkSelfTest(engine: Engine, graphFile: string, manifest: Manifest, files: PackFiles): Promise<void> {
  const { device, precision } = engine.info;
  const { scores, features, tolerance } = manifest.selfTest;
  const measured = await selfTestScores(engine, graphFile, manifest, files);
  const tested = precision === "fp16" ? "fp32" : precision;
  const allowed = tolerance[precision] ?? tolerance.int8;
  const stated = scores[tested];
  if (stated === undefined) throw damaged(files, MANIFEST, `states no scores of its self-test in ${tested}`);
  const expected = [...stated, ...(features?.[tested] ?? [])];
  const given = [...measured.scores, ...(measured.features ?? [])];
  if (measured.scores.length === stated.length && expected.every((value, i) => Math.abs(value - (given[i] ?? NaN)) <= allowed)) return;
  if (DEVICES[device].hasDriver) throw unfit(device, "does not give the scores of its self-test");
  throw damaged(files, graphFile, "does not give the scores of the manifest's self-test");
}

async function selfTestScores(engine: Engine, graphFile: string, manifest: Manifest, files: PackFiles): Promise<QuestionScores> {
  const { state, instructions, options } = manifest.selfTest;
  const texts = options.map((text) => ({ text, sent: [], answer: null }));
  try {
    const { questions } = await engine.score({ state, questions: [{ type: "choice", instructions, options: texts, withFeatures: true }] });
    return elementAt(counted(questions, 1, "scored questions"), 0, "scored question");
  } catch (error) {
    const cause = DecideError.isInstance(error) ? (error.cause ?? error) : error;
    if (isOutOfMemory(cause)) throw outOfMemory(cause);
    if (DEVICES[engine.info.device].hasDriver) throw unfit(engine.info.device, "cannot run it", cause);
    const message = `The graph ${graphFile} of the model in ${files.place} cannot answer its self-test: install the pack again.`;
    throw new DecideError("model_invalid", message, { cause });
  }
}
