import type { Answer } from "../../library/decide/types.ts";
import type { ManyResult } from "../../library/bulk/types.ts";
import type { DecideError } from "../../errors.ts";
import type { PreparedInput, PreparedRow } from "./input/prepare.ts";
import { lineOf } from "./output/result-line.ts";
import type { RowError } from "./output/result-line.ts";
import type { Plan } from "./plan.ts";
import { answeredRow, failedRow } from "./tally.ts";
import type { Tally } from "./tally.ts";

/** What became of a row. */
export interface RowOutcome {
  /** Its line of the results; "" if it has none. */
  readonly line: string;
  readonly tally: Tally;
  /** Why the run ends here; "" if it goes on. */
  readonly stops: string;
}

/** What the plan makes of an answered row. @param isForPerson whether a person should give an answer */
export function outcomeOf(
  { questions, onError }: Pick<Plan, "questions" | "onError">,
  { unit }: Pick<PreparedInput, "unit">,
  row: PreparedRow,
  result: ManyResult,
  isForPerson: (answer: Answer) => boolean,
): RowOutcome {
  const { answers, usage, error } = result;
  if (error === undefined)
    return { line: lineOf(row.copied, { answers }), tally: answeredRow(questions, answers, usage, isForPerson), stops: "" };
  const failure = failureOf(row, unit, error);
  return {
    line: onError === "report" ? lineOf(row.copied, { error: failure }) : "",
    tally: failedRow(failure.code, failure.message),
    stops: onError === "stop" ? failure.message : "",
  };
}

/** What is wrong with a row, with its place. */
function failureOf({ line, wrong }: PreparedRow, unit: PreparedInput["unit"], { code, message }: DecideError): RowError {
  return wrong === "" ? { code, message: `${unit} ${line}: ${message}`, line } : { code: "invalid_request", message: wrong, line };
}
