import fc from "fast-check";

/**
 * Checks a property whose every case asks the model. A counterexample is made smaller for a minute at most: without a bound fast-check would
 * go on for hours, and the test would say no more than that it timed out.
 */
export async function checkWithModel<T>(property: fc.IAsyncPropertyWithHooks<T>, numRuns: number): Promise<void> {
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true });
}
