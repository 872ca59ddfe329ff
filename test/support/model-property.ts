import fc from "fast-check";

/**
 * Checks a property in which every case asks the model. Shrinking a counterexample is limited to some minutes. Without a limit, fast-check would go on for
 * hours and the test would only report a timeout.
 */
export async function checkWithModel<T>(property: fc.IAsyncPropertyWithHooks<T>, numRuns: number): Promise<void> {
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true });
}
