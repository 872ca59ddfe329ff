import { expect } from "vitest";

/** The next value of an iteration that is not over. */
export async function next<T>(iterator: AsyncIterator<T>): Promise<T> {
  const { done, value } = await iterator.next();
  expect(done).toBe(false);
  return value as T;
}

/** Leaves an iteration, as a loop does. */
export async function ended(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.();
}
