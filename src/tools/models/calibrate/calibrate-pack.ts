import { createHash } from "node:crypto";
import { access, constants, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { repairPack, replacePack } from "../replace-pack.ts";
import { calibrate, whyNotFitted, withFits, type Labelled, type Scored } from "./fit.ts";
import { toBatch, type Scorer } from "../../../library/decide/decide.ts";
import { parseRequest, type ParsedRequest } from "../../../library/decide/request.ts";
import { QUESTION_TYPES } from "../../../library/decide/questions/question-kinds.ts";
import { Catalogue } from "../../../library/decider/catalogue.ts";
import { EnginePool } from "../../../library/decider/engine-pool.ts";
import { readDeciderOptions } from "../../../library/decider/options.ts";
import type { Calibration, EngineInfo } from "../../../library/engine/engine.ts";
import { isPlainName } from "../../../library/engine/pack/manifest-fields.ts";
import { MANIFEST } from "../../../library/engine/pack/manifest.ts";
import { DecideError } from "../../../errors.ts";
import { addedModelsFolder } from "../../../library/platform/node/catalogue.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { counted } from "../../../library/validation/expect.ts";
import { badInput, inWords, ToolError } from "../../tool-error.ts";
import { readCases, type Case } from "../../eval/cases.ts";
import { ANSWER_KINDS, nameInFiles } from "../../rows/answers.ts";
import { RowNotes, type RowPlace } from "../../rows/row-notes.ts";
import type { DeviceFlags } from "../../cli/input/flags.ts";
import type { RowsFlags } from "../../cli/input/request-flags.ts";
import type { Io } from "../../cli/io.ts";
import { noteSlowDevice, progressLine, writeResult, type OutputFlags } from "../../cli/output/screen.ts";
import { partsOf, showCalibration } from "./report.ts";

export interface CalibrateFlags extends RowsFlags, DeviceFlags, OutputFlags {}

/**
 * Everything that can be wrong with the rows is found before the first of them is read by the model. It is fitted on the model's scores, not on what an earlier
 * calibration made of them, so the same rows give the same calibration however often. The pack is replaced at the end, or not at all.
 */
export async function calibratePack(io: Io, platform: Platform, model: string, file: string, flags: CalibrateFlags): Promise<void> {
  const folder = await findPack(io.env, platform, model);
  const notes = new RowNotes(file);
  const { cases } = await readCases(io, file, flags, notes);
  const requests = labelledRequests(cases);
  const labelled = requests.flatMap(({ labels }) => labels);
  refuseTooFew(file, labelled);
  const { info, scored, tooLong } = await scoresBy(io, platform, folder, requests, flags, notes).finally(() => {
    notes.tell(io);
  });
  refuseTooFew(file, scored, tooLong);
  const results = calibrate(scored);
  const calibrated = async (): Promise<object> => {
    const manifest = await readManifest(folder, info);
    return { ...manifest, calibration: withFits(manifest.calibration, results) };
  };
  const sayKept = inWords((why) => `The model in ${folder} cannot be replaced, and stays as it was: ${why}.`);
  await replacePack(folder, calibrated).catch(sayKept);

  const ran = { model: info.model, device: info.device, precision: info.precision };
  const counts = { rows: cases.length, leftOut: notes.leftOut, questions: scored.length, tooLong };
  const report = { file, folder, ...ran, ...counts, parts: partsOf(results) };
  writeResult(io, flags, report, (screen) => showCalibration(report, screen));
}

/**
 * Finds the pack that a calibration is written to, and checks that it can be written.
 * @param model id or folder
 * @returns the folder's path, without links
 * @throws {ToolError} for a model that came with umpire @throws {ToolError} if its folder cannot be replaced @throws {DecideError} `model_not_found`
 */
async function findPack(env: NodeJS.ProcessEnv, platform: Platform, model: string): Promise<string> {
  // The catalogue does not list a pack that an interrupted calibration left without its folder.
  const added = platform.placeOf(model) === undefined && isPlainName(model) ? await addedModelsFolder(env) : undefined;
  if (added !== undefined) await repairPack(join(fileURLToPath(added), model));
  // The catalogue resolves a decider's own model, which may be a place.
  const catalogue = new Catalogue(platform, model, () => Promise.reject(new DecideError("internal", "No model is loaded to find a pack.")));
  const named = fileURLToPath(await catalogue.packUrlOf(undefined)).replace(/[/\\]$/u, "");
  await repairPack(named);
  const folder = await realpath(named).catch(() => named);
  if (await isBuiltIn(platform, folder))
    throw badInput(
      "The models that come with umpire are calibrated already, and stay as they were released. To fit one to your own questions, teach it: umpire teach.",
    );
  const sayUnwritable = inWords((why) => `${dirname(folder)} cannot be written, where the calibrated model would be: ${why}.`);
  await access(dirname(folder), constants.W_OK).catch(sayUnwritable);
  return folder;
}

async function isBuiltIn(platform: Platform, folder: string): Promise<boolean> {
  const builtIn = (await platform.catalogue()).filter((pack) => pack.isBuiltIn).map(({ url }) => fileURLToPath(url));
  return (await Promise.all(builtIn.map((path) => realpath(path).catch(() => path)))).includes(folder);
}

interface LabelledRequest extends RowPlace {
  readonly request: ParsedRequest;
  readonly labels: readonly Labelled[];
}

function labelledRequests(cases: readonly Case[]): LabelledRequest[] {
  const texts = new Map<string, number>();
  return cases.map(({ line, id: rowId, state, questions, truths }) => {
    const request = parseRequest({ state, questions });
    const text = texts.get(request.state) ?? texts.size;
    texts.set(request.state, text);
    const labels = request.questions.map(({ id, type, criteria }) => {
      return { type, answer: criteria.findIndex(({ key }) => nameInFiles(type, key) === truths[id]), text };
    });
    return { line, id: rowId, request, labels };
  });
}

/** @throws {ToolError} if there are too few questions of every type */
function refuseTooFew(file: string, questions: readonly Labelled[], tooLong = 0): void {
  const reasons = QUESTION_TYPES.map((type) => {
    const ofType = questions.filter((question) => question.type === type);
    return { type, count: ofType.length, reason: whyNotFitted(type, ofType) };
  });
  if (reasons.some(({ reason }) => reason === undefined)) return;
  const said = reasons.filter(({ count }) => count > 0).map(({ type, reason }) => `${ANSWER_KINDS[type].title}: ${reason}`);
  const left = tooLong === 0 ? "" : ` ${tooLong} questions are too long for the model.`;
  throw badInput(`${file} has too few questions to calibrate by. ${said.length === 0 ? "There are none" : `For ${said.join("; for ")}`}.${left}`);
}

async function scoresBy(
  io: Io,
  platform: Platform,
  folder: string,
  requests: readonly LabelledRequest[],
  { device, precision, threads }: CalibrateFlags,
  notes: RowNotes,
): Promise<{ readonly info: EngineInfo; readonly scored: readonly Scored[]; readonly tooLong: number }> {
  const url = `${pathToFileURL(folder).href}/`;
  const pool = new EnginePool(platform, url, readDeciderOptions({ model: url, device, precision, threads }, platform));
  const progress = progressLine(io.stderr, requests.length);
  try {
    const info = await pool.info();
    noteSlowDevice(io, info);
    progress.update(0);
    const scored: Scored[] = [];
    let tooLong = 0;
    for (const [i, one] of requests.entries()) {
      const all = await scoresOf(pool, one.request);
      for (const [q, label] of one.labels.entries()) {
        const scores = all[q];
        if (scores === undefined) {
          tooLong++;
          notes.leaveOut(one, "is too long for the model");
        } else scored.push({ ...label, scores });
      }
      progress.update(i + 1);
    }
    return { info, scored, tooLong };
  } finally {
    progress.clear();
    await pool.close();
  }
}

async function scoresOf(scorer: Scorer, request: ParsedRequest): Promise<readonly (Float32Array | undefined)[]> {
  try {
    const { scores } = await scorer.score(toBatch(request));
    return counted(scores.questions, request.questions.length, "scored questions").map((question) => question.scores);
  } catch (error) {
    if (!DecideError.isInstance(error) || error.code !== "input_too_long") throw error;
    if (request.questions.length === 1) return [undefined];
    // One of its questions may be too long, and the others may not.
    const each: (Float32Array | undefined)[] = [];
    for (const question of request.questions) each.push(...(await scoresOf(scorer, { ...request, questions: [question] })));
    return each;
  }
}

async function readManifest(folder: string, { seal }: EngineInfo): Promise<{ readonly calibration: Calibration }> {
  const text = await readFile(join(folder, MANIFEST), "utf8");
  if (createHash("sha256").update(text).digest("hex") !== seal)
    throw new ToolError("The model was changed while it read the rows, so nothing was written. Run the command again.");
  return JSON.parse(text) as { readonly calibration: Calibration };
}
