import type { Field } from "./field.ts";
import { isNear, nearest } from "./nearest.ts";
import { isPlainObject } from "./shape.ts";

/**
 * An issue for each field that `known` does not name, with the nearest that it does. Undefined is as good as absent.
 * @param ofDecider options of createDecider(), where those belong elsewhere
 */
export function refuseUnknown(field: Field, known: readonly string[], ofDecider: readonly string[] = []): void {
  for (const [name, value] of isPlainObject(field.value) ? Object.entries(field.value) : []) {
    if (value === undefined || known.includes(name)) continue;
    const unknown = field.at(name, value);
    const other = nearest(name, known);
    if (ofDecider.includes(name)) unknown.refuse("is an option of createDecider()", "unknown_field");
    else if (other !== undefined && isNear(name, other)) refuseAs(unknown, other);
    else unknown.refuse(`is unknown; the nearest name is ${other}`, "unknown_field");
  }
}

/** An issue for a field under a wrong name. */
export function refuseAs(field: Field, meant: string): void {
  field.refuse(`is unknown (did you mean ${meant}?)`, "unknown_field");
}
