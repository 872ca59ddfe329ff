import { InvalidArgumentError } from "commander";

/** A flag's value as a whole number, 1 or more. */
export function countFrom(text: string): number {
  if (!/^[1-9]\d{0,11}$/u.test(text)) throw new InvalidArgumentError("It must be a whole number, 1 or more.");
  return Number(text);
}

/** A flag's value as milliseconds, 0 or more. */
export function msFrom(text: string): number {
  if (!/^\d{1,9}$/u.test(text)) throw new InvalidArgumentError("It must be a whole number of milliseconds.");
  return Number(text);
}

/** A flag's value as bytes, 0 or more. */
export function bytesFrom(text: string): number {
  if (!/^\d{1,12}$/u.test(text)) throw new InvalidArgumentError("It must be a whole number of bytes, 0 or more.");
  return Number(text);
}

/** A flag's value as a port, 0 for any that is free. */
export function portFrom(text: string): number {
  if (!/^\d{1,5}$/u.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
  return Number(text);
}
