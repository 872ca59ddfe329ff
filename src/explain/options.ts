import { checkCallOptions } from "../validation/call-options.ts";
import { AN_ABORT_SIGNAL, wholeNumber } from "../validation/rules.ts";
import type { RulesOf } from "../validation/rules.ts";
import type { ExplainOptions } from "./types.ts";

const DEFAULT_PASSAGES = 32;

const RULES: RulesOf<ExplainOptions> = { signal: AN_ABORT_SIGNAL, maxPassages: wholeNumber(1, 1000) };

/** @throws {DecideError} `invalid_request` naming every invalid option. */
export function readExplainOptions(options: ExplainOptions): { readonly signal: AbortSignal | undefined; readonly maxPassages: number } {
  checkCallOptions(options, RULES);
  const { signal, maxPassages = DEFAULT_PASSAGES } = options;
  return { signal, maxPassages };
}
