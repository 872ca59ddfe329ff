import type { DecideRequest } from "../../src/public.ts";
import { ASKED, TEXTS } from "./texts.ts";

/** Texts with a known number of tokens, and requests that keep the model busy. */

/** Makes a text of `tokens` tokens: "cat" is a single token. */
export const catTokens = (tokens: number): string => Array.from({ length: tokens }, () => "cat").join(" ");

export const quickRequest = {
  state: TEXTS.late,
  questions: { late: { type: "noul", instructions: ASKED.late } },
} as const satisfies DecideRequest;

/** Keeps the model busy for many seconds, with 48 windows and 255 options that read them all. */
export const longRequest = {
  state: catTokens(15_000),
  questions: {
    which: {
      type: "choice",
      instructions: "Which animal is it about?",
      criteria: Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`animal number ${i}`, null])),
    },
  },
} as const satisfies DecideRequest;
