import type { Field } from "./field.ts";
import { isPlainObject } from "./shape.ts";

/** An issue for each field that `known` does not name. @param whose what has the fields, such as "a key" */
export function refuseUnknown(field: Field, known: readonly string[], whose: string): void {
  for (const name of isPlainObject(field.value) ? Object.keys(field.value) : []) {
    if (!known.includes(name))
      field.at(name, undefined).refuse(`is unknown. Known fields of ${whose}: ${known.join(", ")}`, "unknown_field");
  }
}
