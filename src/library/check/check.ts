import type { Decide } from "../decide/decide.ts";
import { parseQuestion } from "../decide/request.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import { AN_ABORT_SIGNAL, checkCallOptions } from "../validation/field.ts";
import type { RulesOf } from "../validation/field.ts";
import { checkYesOrNo, readingsOf } from "./readings.ts";
import type { Readings } from "./readings.ts";
import { checkSameOptions } from "./same-options.ts";
import { checkScaleOrder } from "./scale-order.ts";
import type { CheckOptions, CheckWarning, QuestionCheck } from "./warning.ts";
import { checkDescriptions, checkInstructions, checkKeys, checkWording } from "./wording.ts";

export type { CheckCode, CheckOptions, CheckWarning, QuestionCheck } from "./warning.ts";

/**
 * Warns of what makes a question's answers bad. Some is seen in the texts alone. For the rest the question is asked about a few built-in texts and about
 * its own criteria: 12 readings of a choice, 9 of a yes/no and 15 of a score at most.
 * @param decide answers requests
 * @param question a question as in a request
 * @throws {DecideError} `invalid_request` for options, or a question that a request may not hold; what `decide` throws.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function check(decide: Decide, question: unknown, options: CheckOptions = {}): Promise<QuestionCheck> {
  checkCallOptions(options, RULES);
  const { signal } = options;
  signal?.throwIfAborted();
  const parsed = parseQuestion(question);
  const readings = readingsOf(decide, parsed, signal);
  const seen = [...checkInstructions(parsed), ...checkWording(parsed), ...checkDescriptions(parsed), ...checkKeys(parsed)];
  return { warnings: [...seen, ...((await READ[parsed.type]?.(parsed, readings)) ?? [])] };
}

const RULES: RulesOf<CheckOptions> = { signal: AN_ABORT_SIGNAL };

/** The checks that ask the model. */
const READ: { readonly [Type in ParsedQuestion["type"]]?: (question: ParsedQuestion, readings: Readings) => Promise<CheckWarning[]> } = {
  choice: checkSameOptions,
  noul: checkYesOrNo,
  score: checkScaleOrder,
};
