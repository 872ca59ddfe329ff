import { expect } from "vitest";

/** The next value of an iteration that is not over. */
export async function next<T>(iterator: AsyncIterator<T>): Promise<T> {
  const result = await iterator.next();
  expect(result.done).toBe(false);
  return result.value as T;
}

/** Leaves an iteration, as a loop does. */
export async function ended(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.();
}
