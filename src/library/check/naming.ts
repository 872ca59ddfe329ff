import { isPlain } from "../validation/nearest.ts";

const MAX_NAMED = 4;

/**
 * The options at fault, for a message: by their keys if these are short and plain, else only how many there are.
 * @param what they are called otherwise, in the plural: "options"
 */
export function named(keys: readonly string[], what: string): string {
  if (!keys.every(isPlain) || keys.length > MAX_NAMED) return `${keys.length} ${what}`;
  const quoted = keys.map((key) => `"${key}"`);
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(", ")} and ${quoted.slice(-1).join()}`;
}
