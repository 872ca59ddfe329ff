import { join } from "node:path";
import type { Device, Precision } from "../../library/engine/engine.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import type { Engines } from "./engines.ts";
import { GOLDENS, readGoldens, scoresOf } from "./goldens.ts";
import type { InstalledModel } from "./installed.ts";

export interface Place {
  /** Default: the fastest that there is. */
  readonly device?: Device;
  readonly precision?: Precision;
}

/** What came out of running a model in one place. */
export interface Verified {
  readonly device: Device | undefined;
  readonly precision: Precision | undefined;
  /** What is wrong, in a sentence; absent if nothing is. */
  readonly problem?: string;
  /** Golden questions that were asked. */
  readonly asked: number;
  /** The largest difference of a score from that of the goldens. */
  readonly maxDifference: number;
}

/** Loads a model in one place, which checks its seal, its files and its self-test, and asks its golden questions there. */
export async function verifyModel(engines: Engines, { folder, manifest }: InstalledModel, place: Place = {}): Promise<Verified> {
  let { device, precision } = place;
  let asked = 0;
  let maxDifference = 0;
  try {
    const engine = await engines.load(folder, place);
    try {
      ({ device, precision } = engine.info);
      const of = precision === "fp16" ? "fp32" : precision;
      for (const golden of await readGoldens(join(folder, GOLDENS))) {
        const expected = golden.scores[of];
        if (expected === undefined) continue;
        asked += 1;
        const given = await scoresOf(engine, golden);
        for (const [i, score] of given.entries()) maxDifference = Math.max(maxDifference, Math.abs(score - (expected[i] ?? NaN)));
      }
      const allowed = manifest?.selfTest.tolerance[precision] ?? 0;
      // Written so that what is no number is a problem, too.
      if (!(maxDifference <= allowed))
        return {
          device,
          precision,
          asked,
          maxDifference,
          problem: `its scores differ from those when it was added by up to ${maxDifference.toFixed(4)}`,
        };
    } finally {
      await engine.close();
    }
  } catch (error) {
    return { device, precision, asked, maxDifference, problem: DecideError.isInstance(error) ? error.message : textOfCause(error) };
  }
  return { device, precision, asked, maxDifference };
}
