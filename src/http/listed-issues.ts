import type { Issue } from "../errors.ts";

/** Of places and messages together, about; one issue is listed whatever its length. */
const MAX_CHARACTERS = 65_536;

/**
 * As many issues as a reply has room for. A question's id stands in each of its issues: a list of all could be ten thousand times what was
 * sent.
 */
export function listedIssues(issues: readonly Issue[]): readonly Issue[] {
  let characters = 0;
  const end = issues.findIndex(({ loc, msg }, i) => {
    characters += msg.length + loc.reduce<number>((sum, part) => sum + String(part).length, 0);
    return i > 0 && characters > MAX_CHARACTERS;
  });
  return end === -1 ? issues : issues.slice(0, end);
}
