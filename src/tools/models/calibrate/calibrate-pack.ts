import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { replacePack } from "../replace-pack.ts";
import { calibrate, whyNotFitted, withFits } from "./calibrate.ts";
import { QUESTION_TYPES } from "./scored.ts";
import type { Labelled } from "./scored.ts";
import { EnginePool } from "../../../library/decider/engine-pool.ts";
import { readDeciderOptions } from "../../../library/decider/options.ts";
import type { Calibration, EngineInfo } from "../../../library/engine/engine.ts";
import { MANIFEST } from "../../../library/engine/pack/manifest.ts";
import { DecideError } from "../../../errors.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { BadInput } from "../../cli/bad-input.ts";
import { CommandFailed } from "../../cli/command-failed.ts";
import { readCases } from "../../eval/read-cases.ts";
import type { DeviceFlags } from "../../cli/input/model-flags.ts";
import type { RowsFlags } from "../../cli/input/rows-flags.ts";
import type { Io } from "../../cli/io.ts";
import { noteSlowDevice } from "../../cli/output/device-note.ts";
import { ProgressLine } from "../../cli/output/progress-line.ts";
import { screenFor, writeJson } from "../../cli/output/screen.ts";
import type { OutputFlags } from "../../cli/output/screen.ts";
import { findPack } from "./find-pack.ts";
import type { FoundPack } from "./find-pack.ts";
import { labelledRequests, readScores } from "./read-scores.ts";
import type { LabelledRequest, Scores } from "./read-scores.ts";
import { showCalibration } from "./report-view.ts";
import { partsOf } from "./report.ts";

export interface CalibrateFlags extends RowsFlags, DeviceFlags, OutputFlags {}

/**
 * Everything that can be wrong with the rows is found before the first of them is read by the model. It is fitted on the model's scores, not on what an earlier
 * calibration made of them, so the same rows give the same calibration however often. The pack is replaced at the end, or not at all.
 */
export async function calibratePack(io: Io, platform: Platform, model: string, file: string, flags: CalibrateFlags): Promise<void> {
  const pack = await findPack(io.env, platform, model);
  const { cases } = await readCases(io, file, flags);
  const requests = labelledRequests(cases);
  refuseTooFew(
    file,
    requests.flatMap(({ labels }) => labels),
  );
  const { info, scored, tooLong } = await scoresBy(io, platform, pack, requests, flags);
  refuseTooFew(file, scored, tooLong);
  const results = calibrate(scored);
  const calibrated = async (): Promise<object> => {
    const manifest = await readManifest(pack, info);
    return { ...manifest, calibration: withFits(manifest.calibration, results) };
  };
  await replacePack(pack.folder, calibrated).catch((error: unknown) => {
    throw DecideError.isInstance(error) || error instanceof CommandFailed ? error : notReplaced(pack, error);
  });

  const ran = { model: info.model, device: info.device, precision: info.precision };
  const counts = { rows: cases.length, questions: scored.length, tooLong };
  const report = { file, folder: pack.folder, ...ran, ...counts, parts: partsOf(results) };
  const screen = screenFor(io, flags);
  if (screen === undefined) writeJson(io, report);
  else io.stdout.write(showCalibration(report, screen));
}

/** @throws {BadInput} if there are too few questions of every type */
function refuseTooFew(file: string, questions: readonly Labelled[], tooLong = 0): void {
  const reasons = QUESTION_TYPES.map((type) => {
    const ofType = questions.filter((question) => question.type === type);
    return { type, count: ofType.length, reason: whyNotFitted(type, ofType) };
  });
  if (reasons.some(({ reason }) => reason === undefined)) return;
  const said = reasons.filter(({ count }) => count > 0).map(({ type, reason }) => `${type}: ${reason}`);
  const left = tooLong === 0 ? "" : ` ${tooLong} questions are too long for the model.`;
  throw new BadInput(`${file} has too few questions to calibrate by. ${said.length === 0 ? "There are none" : `For ${said.join("; for ")}`}.${left}`);
}

async function scoresBy(
  io: Io,
  platform: Platform,
  { url }: FoundPack,
  requests: readonly LabelledRequest[],
  { device, precision, threads }: CalibrateFlags,
): Promise<Scores & { readonly info: EngineInfo }> {
  const pool = new EnginePool(platform, url, readDeciderOptions({ model: url, device, precision, threads }, platform));
  const progress = new ProgressLine(io.stderr, requests.length);
  try {
    const info = await pool.info();
    noteSlowDevice(io, info);
    progress.update(0);
    return { info, ...(await readScores(pool, requests, progress.update.bind(progress))) };
  } finally {
    progress.clear();
    await pool.close();
  }
}

/** A manifest, of which only the calibration is of interest here. */
interface CalibratedManifest {
  readonly calibration: Calibration;
}

/** The manifest that was loaded. @throws {CommandFailed} if there is another one by now */
async function readManifest({ folder }: FoundPack, { seal }: EngineInfo): Promise<CalibratedManifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8");
  if (createHash("sha256").update(text).digest("hex") !== seal)
    throw new CommandFailed("The model was changed while it read the rows, so nothing was written. Run the command again.");
  return JSON.parse(text) as CalibratedManifest;
}

function notReplaced({ folder }: FoundPack, cause: unknown): CommandFailed {
  const { code } = cause as NodeJS.ErrnoException;
  return new CommandFailed(`The model in ${folder} cannot be replaced, and stays as it was: the system reports ${code}.`, { cause });
}
