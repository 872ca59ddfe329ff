import type { Question, Text } from "../../library/decide/types.ts";

/** One request with its right answers. */
export interface Case {
  /** Number of its row's line, from 1. */
  readonly line: number;
  readonly state: Text;
  readonly questions: Readonly<Record<string, Question>>;
  /** Option keys by question id; "yes" or "no" for a noul (yes/no question), the level's number for a score. */
  readonly truths: Readonly<Record<string, string>>;
}
