/** The bytes are not valid zstd (RFC 8878). */
export class Damaged extends Error {}

/** @throws {Damaged} unless the condition holds. */
export function check(condition: boolean): asserts condition {
  if (!condition) throw new Damaged("The bytes are not valid zstd.");
}
