import { DecideError } from "umpire";
import type { Decider } from "../library/decider/decider.ts";
import { Field, refuseUnknown, saidOfOptions, type RulesOf } from "../library/validation/field.ts";

/** Id of a model, or `latest`. */
export type UmpireModelId = "latest" | (string & {});

export interface UmpireProviderOptions {
  /** Answers the calls, and is never closed by them. Default: the decider that all calls of `decide()` share. */
  readonly decider?: Pick<Decider, "decide"> | undefined;
}

/** Checks options, all of which may be left out. @throws {DecideError} `invalid_request` naming every invalid or unknown option. */
export function checkOptions<T>(options: unknown, rules: RulesOf<T>): void {
  const field = new Field(options, ["options"]);
  const names = Object.keys(rules);
  if (field.isObject(`an object such as { ${names.join(", ")} }`)) {
    refuseUnknown(field, names);
    for (const [name, rule] of Object.entries<RulesOf<T>[keyof T]>(rules)) field.get(name).mayKeep(rule);
  }
  const { issues } = field;
  if (issues.length > 0) throw new DecideError("invalid_request", saidOfOptions(issues), { issues });
}
