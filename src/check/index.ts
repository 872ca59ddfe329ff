import type { DecideOptions, DecideResponse } from "../decide/types.ts";
export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
}
export interface QuestionCheck {
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}
export type Decide = (request: unknown, options?: DecideOptions) => Promise<DecideResponse>;
export function check(decide: Decide, question: unknown, options: CheckOptions): Promise<QuestionCheck> {
  return Promise.reject(new Error(`not there yet: ${String([decide, question, options])}`));
}
