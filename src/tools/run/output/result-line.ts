import type { Answer } from "../../../library/decide/types.ts";

/** Why a row has no answers. */
export interface RowError {
  readonly code: string;
  /** Begins with the row's place. Never holds the row's text. */
  readonly message: string;
  /** Number of the row's line or row in the input, from 1. */
  readonly line: number;
}

/** A row's result. */
export type RowResult = { readonly answers: { readonly [id: string]: Answer } } | { readonly error: RowError };

/** The names that a result adds to the copied columns. */
export const RESULT_NAMES: readonly string[] = ["answers", "error"];

/** A row's result as a line of JSON: what is copied of the row, then its answers or what is wrong with it. */
export function lineOf(copied: { readonly [column: string]: unknown }, result: RowResult): string {
  return `${JSON.stringify({ ...copied, ...result })}\n`;
}
