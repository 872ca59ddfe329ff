// Figures of the first model, umpire-pilot, which is no longer in the repository. They stand beside new ones that were measured the same way.
import { readFile } from "node:fs/promises";

/**
 * @typedef {object} Recorded a report (report.mjs) to three decimals, without figures that were never published
 * @property {{ id: string, releaseDate: string, precision: string }} model
 * @property {string} source where the figures come from
 * @property {Record<string, number>} settings that they were measured with
 * @property {object} summary
 * @property {{ alone: number, byWindow: number[] }} longStates
 * @property {{ kind: string, name: string, n: number, accuracy: number }[]} sets
 */

/** @returns {Promise<Recorded>} */
export async function readRecorded() {
  return JSON.parse(await readFile(new URL("umpire-pilot.json", import.meta.url), "utf8"));
}

/**
 * Whether a run asked the same questions as the recorded one: same settings, and the same sets with as many questions.
 * @param {Recorded} recorded
 * @param {Record<string, number>} settings of the run, as written to its results
 * @param {readonly { kind: string, name: string, type?: string, n: number }[]} sets of the run
 */
export function isComparable(recorded, settings, sets) {
  const sameSettings = Object.entries(recorded.settings).every(([name, value]) => settings[name] === value);
  const sizes = (list) => list.map(({ kind, name, n }) => `${kind} ${name}: ${n}`).sort();
  const measured = sizes(sets.filter(({ kind, type }) => type === undefined && !kind.startsWith("nli")));
  const nli = sets.filter(({ kind }) => kind === "nli").map(({ name }) => name);
  return (
    sameSettings &&
    JSON.stringify(measured) === JSON.stringify(sizes(recorded.sets)) &&
    JSON.stringify(nli.sort()) === JSON.stringify(Object.keys(recorded.summary.nliAccuracy).sort())
  );
}
