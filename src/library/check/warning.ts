/** What is wrong with a question. */
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
  /** What is wrong, and what to write instead: two sentences of plain English. Holds no text of the question but short plain option keys. */
  readonly message: string;
  /** The criteria at fault: keys of a choice, "true" and "false" of a noul, "0" to "n-1" of a score. Absent if it is the instructions. */
  readonly criteria?: readonly string[];
}

/** What `check` found. */
export interface QuestionCheck {
  /** Empty if nothing was found. A question without a warning may still be a bad one. */
  readonly warnings: readonly CheckWarning[];
}

export interface CheckOptions {
  /** Ends the check between two readings: it rejects with `signal.reason`. Example: `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal | undefined;
}
