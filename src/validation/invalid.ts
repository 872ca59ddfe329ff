import { DecideError } from "../errors.ts";
import type { Issue, Location } from "../errors.ts";

/** Options of the library's own functions: the message names every invalid one. @throws {DecideError} `invalid_request` if there are issues. */
export function throwIfOptionsInvalid(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const said = issues.map(({ loc, msg }) => `${loc.slice(1).join(".") || "they"} ${msg}`).join("; ");
  throw new DecideError("invalid_request", `The options are not valid: ${said}.`, { issues });
}

/** The first issue in words, and how many more there are. @param placeOf what a message may show of a place: ids and keys are the caller's text */
export function firstOf(issues: readonly Issue[], placeOf: (loc: Location) => string): string {
  const [first] = issues;
  if (first === undefined) throw new DecideError("internal", "A value was refused without an issue.");
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more: see issues)` : "";
  return `${placeOf(first.loc)} ${first.msg}${more}`;
}
