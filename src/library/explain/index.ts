export { explain } from "./explain.ts";
export type { Decide, ExplainOptions, Explanation, Passage } from "./types.ts";
