import type { Field } from "./field.ts";
import { isPlain } from "./nearest.ts";
import { shapeOf } from "./shape.ts";

/** An issue for a string that is none of some names: it is shown if it is plain. @param meant the name that was probably meant */
export function refuseName(field: Field, words: string, meant?: string): void {
  const { value } = field;
  const hint = meant === undefined ? "" : ` (did you mean "${meant}"?)`;
  field.refuse(`must be ${words}, but is ${isPlain(value) ? `"${value}"` : shapeOf(value)}${hint}`, "unknown_value");
}
