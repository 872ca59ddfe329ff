import type { DecideOptions, DecideResponse } from "../decide/types.ts";
export interface ExplainOptions {
  readonly signal?: AbortSignal | undefined;
}
export interface Explanation {
  readonly logOdds: number;
}
export type Decide = (request: unknown, options?: DecideOptions) => Promise<DecideResponse>;
export function explain(decide: Decide, request: unknown, questionId: string, options: ExplainOptions): Promise<Explanation> {
  return Promise.reject(new Error(`not there yet: ${String([decide, request, questionId, options])}`));
}
