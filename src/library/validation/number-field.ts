import type { Field } from "./field.ts";

/** Whether the value is a number, NaN and Infinity included; if not, an issue. @param words what the number is, after "must be" */
export function isNumber(field: Field, words: string): boolean {
  if (typeof field.value === "number") return true;
  field.refuseType(words);
  return false;
}
