import type { Issue } from "../../errors.ts";

/** Approximate size of all listed places and messages. The first issue is listed whatever its size. */
const MAX_CHARACTERS = 65_536;

/** The first issues, as many as a reply has room for. An error has few of them, but each repeats its question's id and its option's key, which may be long. */
export function listedIssues(issues: readonly Issue[]): readonly Issue[] {
  let characters = 0;
  const end = issues.findIndex(({ loc, msg }, i) => {
    characters += msg.length + loc.reduce<number>((sum, part) => sum + String(part).length, 0);
    return i > 0 && characters > MAX_CHARACTERS;
  });
  return end === -1 ? issues : issues.slice(0, end);
}
