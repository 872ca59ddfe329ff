import { DecideError } from "../../errors.ts";

/** Assertions about our own code. A violation is a bug of ours, and must never become an answer. */

/**
 * The element at an index.
 * @param what the element is, for the message
 * @throws {DecideError} `internal` where there is none.
 */
export function elementAt<T>(elements: ArrayLike<T>, index: number, what: string): T {
  return present(elements[index], `${what} ${index} of ${elements.length}`);
}

/**
 * The value, if there is one.
 * @param what the value is, for the message
 * @throws {DecideError} `internal` for undefined.
 */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw broken(`There is no ${what}.`);
  return value;
}

/**
 * The elements, if there are as many as there must be.
 * @param what the elements are, for the message
 * @throws {DecideError} `internal` if there are more or fewer.
 */
export function counted<T extends { readonly length: number }>(elements: T, expected: number, what: string): T {
  if (elements.length !== expected) throw broken(`There are ${elements.length} ${what} where ${expected} are expected.`);
  return elements;
}

function broken(what: string): DecideError {
  return new DecideError("internal", `${what} This is a bug in umpire; please report it.`);
}
