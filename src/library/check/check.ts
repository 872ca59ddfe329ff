import { parseQuestion, plainQuestion } from "../decide/question.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import { checkCallOptions } from "../validation/call-options.ts";
import { AN_ABORT_SIGNAL } from "../validation/rules.ts";
import type { RulesOf } from "../validation/rules.ts";
import { checkDescriptions } from "./descriptions.ts";
import { checkInstructions } from "./instructions.ts";
import { checkKeys } from "./keys.ts";
import { Readings } from "./readings.ts";
import type { Decide } from "./readings.ts";
import { checkSameOptions } from "./same-options.ts";
import { checkScaleOrder } from "./scale-order.ts";
import type { CheckOptions, CheckWarning, QuestionCheck } from "./warning.ts";
import { checkWording } from "./wording.ts";
import { checkYesOrNo } from "./yes-or-no.ts";

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
  // The caller's object may change between two readings.
  const readings = new Readings(decide, plainQuestion(parsed), parsed, signal);
  const seen = [...checkInstructions(parsed), ...checkWording(parsed), ...checkDescriptions(parsed), ...checkKeys(parsed)];
  return { warnings: [...seen, ...(await READ[parsed.type](parsed, readings))] };
}

const RULES: RulesOf<CheckOptions> = { signal: AN_ABORT_SIGNAL };

/** What is found by reading the question. */
const READ: { readonly [Type in ParsedQuestion["type"]]: (question: ParsedQuestion, readings: Readings) => Promise<CheckWarning[]> } = {
  choice: checkSameOptions,
  noul: checkYesOrNo,
  score: checkScaleOrder,
};
