import fc from "fast-check";
import { LONG_CASES } from "./properties.ts";

/** Shrinking a counterexample could go on for hours, because every step asks the model. */
const SHRINKING_MS = 60_000;

/**
 * Checks a property in which every case asks the model. Time does not decide the outcome: it only ends the search for a smaller counterexample.
 * @param cases in `npm test`. The long form has as many of each property, or a `share` of them.
 */
export async function checkWithModel<T>(property: fc.IAsyncPropertyWithHooks<T>, cases: number, share = 1): Promise<void> {
  const numRuns = LONG_CASES === undefined ? cases : Math.ceil(LONG_CASES * share);
  const found = await fc.check(property, { numRuns, endOnFailure: true });
  if (!found.failed) return;
  const { seed, counterexamplePath } = found;
  const limits = { seed, interruptAfterTimeLimit: SHRINKING_MS };
  await fc.assert(property, counterexamplePath === null ? limits : { ...limits, path: counterexamplePath });
  throw new Error(`This failure did not come again.\n${fc.defaultReportMessage(found) ?? ""}`);
}
