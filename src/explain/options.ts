import { Field } from "../validation/field.ts";
import { throwIfOptionsInvalid } from "../validation/invalid.ts";
import { AN_ABORT_SIGNAL, wholeNumber } from "../validation/rules.ts";
import type { RulesOf } from "../validation/rules.ts";
import { refuseUnknown } from "../validation/unknown-fields.ts";
import type { ExplainOptions } from "./types.ts";

const DEFAULT_PASSAGES = 32;

const RULES: RulesOf<ExplainOptions> = { signal: AN_ABORT_SIGNAL, maxPassages: wholeNumber(1, 1000) };

/** @throws {DecideError} `invalid_request` naming every invalid option. */
export function readExplainOptions(options: ExplainOptions): { readonly signal: AbortSignal | undefined; readonly maxPassages: number } {
  const field = new Field(options, ["options"]);
  if (field.isObject("an object such as { signal }")) {
    refuseUnknown(field, Object.keys(RULES));
    for (const [name, rule] of Object.entries(RULES)) field.get(name).mayKeep(rule);
  }
  throwIfOptionsInvalid(field.issues);
  const { signal, maxPassages = DEFAULT_PASSAGES } = options;
  return { signal, maxPassages };
}
