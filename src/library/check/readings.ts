import type { Decide } from "../decide/decide.ts";
import { plainQuestion, sharesOf } from "../decide/questions/question-kinds.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import { present } from "../validation/expect.ts";

/** Reads one question about each of some states: the logarithms of its criteria's probabilities, in their order. */
export type Readings = (states: readonly string[]) => Promise<number[][]>;

/** Asks `decide` about one state after the other. Ends by the signal, as every decision does. */
export function readingsOf(decide: Decide, parsed: ParsedQuestion, signal: AbortSignal | undefined): Readings {
  // The caller's object may change between two readings.
  const questions = { question: plainQuestion(parsed) };
  return async (states) => {
    const all: number[][] = [];
    for (const state of states) {
      const { answers } = await decide({ state, questions }, { signal });
      const shares = sharesOf(present(answers["question"], "answer"));
      // A probability may be 0 in floating point. Below this floor nobody cares how small it is.
      all.push(parsed.criteria.map(({ key }) => Math.log(Math.max(shares[key] ?? 0, 1e-4))));
    }
    return all;
  };
}

/** Short texts of many kinds. Every question is tried on the same ones: what it makes of them shows how it is read. */
export const TEXTS: readonly string[] = [
  "I was charged twice for my order last week and nobody has answered my e-mails. Please refund the second payment.",
  "Lovely little hotel. The bed was comfortable, breakfast was good, and the staff could not have been kinder.",
  "2026-03-14 08:12:07 ERROR payment-service: connection to the database timed out after 30 s, retrying (2 of 5)",
  "The city council voted on Tuesday to close the old bridge to cars for two years while it is rebuilt.",
  "hey, are you coming tonight? we meet at eight at Tom's, bring some snacks if you can :)",
  "// TODO: this loop is slow for long lists. Sort them once before, and use a binary search here.",
  "Either party may end this agreement with thirty days' written notice. Fees that were paid are not returned.",
  "Third time the driver threw my parcel over the fence. This is a disgrace, and I want to speak to a manager today!",
];

/** The log-odds of yes differ by less than this between any two texts, the empty one included, in nats. */
const MIN_RANGE = 0.45;
/** Yes is at least this likely whatever the text. There is no such limit for no: a question of things that no built-in text has is rightly denied. */
const MAX_LEAST_YES = 0.68;

/** A yes/no question whose wording alone decides: texts of all kinds, and none at all, change its answer little. */
export async function checkYesOrNo(_question: ParsedQuestion, readings: Readings): Promise<CheckWarning[]> {
  const all = await readings(["", ...TEXTS]);
  const logOdds = all.map(([yes = 0, no = 0]) => yes - no);
  const [least, most] = [Math.min(...logOdds), Math.max(...logOdds)];
  const isYes = least > Math.log(MAX_LEAST_YES / (1 - MAX_LEAST_YES));
  if (most - least >= MIN_RANGE && !isYes) return [];
  const what = isYes
    ? "Yes is likely for texts of any kind, even for an empty one"
    : "The answer is nearly the same for texts of any kind, even for an empty one";
  const message = `${what}: the wording decides, not the state. Ask for something that a text says, and describe when the answer is yes (true) and when it is no (false).`;
  return [{ code: "wording_decides", message }];
}

/** A fault of a question. */
export type CheckCode =
  /** Choice: options that the model does not tell apart. */
  | "same_options"
  /** Choice: keys without a description that mean nothing by themselves. */
  | "keys_say_nothing"
  /** Yes/no: the question holds a "not". */
  | "negated"
  /** Yes/no: more than one "not", or one in the question and one in its criteria. */
  | "double_negation"
  /** Yes/no: two questions in one. */
  | "double_question"
  /** Score: the levels do not rise from the first to the last. */
  | "scale_order"
  /** Yes/no: the answer hardly depends on the state. */
  | "wording_decides"
  /** There are no instructions. */
  | "empty_instructions"
  /** The instructions ask for nothing. */
  | "no_question"
  /** The instructions are so long that the question is lost in them. */
  | "long_instructions"
  /** One description is much longer than the others. */
  | "long_description";

export interface CheckWarning {
  readonly code: CheckCode;
  /** The flaw, and what to write instead: two sentences of plain English. Holds no text of the question but short plain option keys. */
  readonly message: string;
  /** The criteria at fault: keys of a choice, "true" and "false" of a noul, "0" to "n-1" of a score. Absent if it is the instructions. */
  readonly criteria?: readonly string[];
}

/** The findings of `check`. */
export interface QuestionCheck {
  /** Empty if nothing was found. A question without a warning may still be a bad one. */
  readonly warnings: readonly CheckWarning[];
}

export interface CheckOptions {
  /** Ends the check between two readings: it rejects with `signal.reason`. Example: `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal | undefined;
}
