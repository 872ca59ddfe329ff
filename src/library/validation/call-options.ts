import { Field } from "./field.ts";
import { throwIfOptionsInvalid } from "./invalid.ts";
import type { RulesOf } from "./rules.ts";
import { refuseUnknown } from "./unknown-fields.ts";

/** Checks the options of a call, all of which may be left out. @throws {DecideError} `invalid_request` naming every invalid or unknown option. */
export function checkCallOptions<T>(options: unknown, rules: RulesOf<T>): void {
  const field = new Field(options, ["options"]);
  if (field.isObject("an object such as { signal }")) {
    refuseUnknown(field, Object.keys(rules));
    for (const [name, rule] of Object.entries<RulesOf<T>[keyof T]>(rules)) field.get(name).mayKeep(rule);
  }
  throwIfOptionsInvalid(field.issues);
}
