import { DecideError } from "../../errors.ts";
import type { Issue, Location } from "../../errors.ts";
import { isPlain } from "./nearest.ts";
import { Field, refuseUnknown } from "./field.ts";
import type { RulesOf } from "./rules.ts";

/** Options of the library's own functions: the message names every invalid one, unless its name may be a person's words. @throws {DecideError} `invalid_request` if there are issues. */
export function throwIfOptionsInvalid(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  throw new DecideError("invalid_request", saidOfOptions(issues), { issues });
}

/** The message for invalid options. */
export function saidOfOptions(issues: readonly Issue[]): string {
  return `The options are not valid: ${issues.map(({ loc, msg }) => `${nameOf(loc)} ${msg}`).join("; ")}.`;
}

function nameOf([, ...path]: Location): string {
  if (path.length === 0) return "the argument";
  return path.map((part) => (typeof part === "number" || isPlain(part) ? part : "an option")).join(".");
}

/**
 * The first issue in words, and how many there are. The list is not named: it is `issues` here and `detail` over HTTP.
 * @param pathOf what a message may show of an issue's place: ids and keys are the caller's text
 * @param leftOut further issues that are not in the list
 */
export function firstOf(issues: readonly Issue[], pathOf: (loc: Location) => string, leftOut = 0): string {
  const [first] = issues;
  if (first === undefined) throw new DecideError("internal", "A value was refused without an issue.");
  const others = issues.length > 1 ? ` (the first of ${issues.length + leftOut} issues)` : "";
  return `${pathOf(first.loc)} ${first.msg}${others}`;
}

/** Checks the options of a call, all of which may be left out. @throws {DecideError} `invalid_request` naming every invalid or unknown option. */
export function checkCallOptions<T>(options: unknown, rules: RulesOf<T>): void {
  const field = new Field(options, ["options"]);
  if (field.isObject("an object such as { signal }")) {
    refuseUnknown(field, Object.keys(rules));
    for (const [name, rule] of Object.entries<RulesOf<T>[keyof T]>(rules)) field.get(name).mayKeep(rule);
  }
  throwIfOptionsInvalid(field.issues);
}
