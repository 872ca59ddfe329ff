import { InvalidArgumentError } from "commander";

/** A flag's value as a number from 0 to 1. */
export function shareFrom(text: string): number {
  if (!/^(?:0|1|0?\.\d+|1\.0+|0\.0*)$/u.test(text)) throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return Number(text);
}

/** A flag's value as a number above 0 and below 1. */
export function errorRateFrom(text: string): number {
  const rate = /^0?\.\d+$/u.test(text) ? Number(text) : 0;
  if (rate === 0) throw new InvalidArgumentError("It must be a number above 0 and below 1, such as 0.05 for 5 in 100.");
  return rate;
}
