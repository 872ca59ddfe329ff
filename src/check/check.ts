import { parseRequest } from "../decide/request.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import type { Question } from "../decide/types.ts";
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
 * @throws {DecideError} `invalid_request` for a question that a request may not hold, and what `decide` throws.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function check(decide: Decide, question: unknown, { signal }: CheckOptions = {}): Promise<QuestionCheck> {
  const [parsed] = parseRequest({ state: "", questions: { question } }).questions;
  if (parsed === undefined) return { warnings: [] };
  if (signal?.aborted === true) throw signal.reason;
  const readings = new Readings(decide, toQuestion(parsed), parsed, signal);
  const seen = [...checkInstructions(parsed), ...checkWording(parsed), ...checkDescriptions(parsed), ...checkKeys(parsed)];
  return { warnings: [...seen, ...(await READ[parsed.type](parsed, readings))] };
}

/** What is found by reading the question. */
const READ: { readonly [Type in ParsedQuestion["type"]]: (question: ParsedQuestion, readings: Readings) => Promise<CheckWarning[]> } = {
  choice: checkSameOptions,
  noul: checkYesOrNo,
  score: checkScaleOrder,
};

/** The question as it was when it was given: the caller's object may change between two readings. */
function toQuestion({ type, instructions, criteria }: ParsedQuestion): Question {
  const described = Object.fromEntries(criteria.map(({ key, description }) => [key, description]));
  switch (type) {
    case "choice":
      return { type, instructions, criteria: described };
    case "noul": {
      const { true: yes = null, false: no = null } = described;
      return { type, instructions, criteria: yes === null && no === null ? null : { true: yes, false: no } };
    }
    case "score":
      return { type, instructions, criteria: criteria.map(({ description }) => description ?? "") };
  }
}
