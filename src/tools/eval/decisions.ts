import type { Question, Text } from "../../library/decide/types.ts";
import { shapeOf } from "../../library/validation/shape.ts";
import { checkRequest } from "./check-request.ts";
import { wrongRow } from "../rows/read-rows.ts";
import type { Row } from "../rows/read-rows.ts";
import type { Case } from "./case.ts";

/** A row in the form of a request. */
interface Decision {
  readonly state: Text;
  readonly questions: Readonly<Record<string, Question & { readonly answer?: unknown }>>;
}

/**
 * The cases of rows in the form of a request: `{state, questions: {id: {type, instructions, criteria, answer}}}`.
 * @param file named in error messages
 * @throws {ToolError}
 */
export function toDecisions(file: string, rows: readonly Row[]): Case[] {
  return rows.map(({ line, value }) => {
    checkRequest(file, line, value);
    const { state, questions } = value as Decision;
    const entries = Object.entries(questions).map(([id, { answer, ...question }], i) => {
      const truth = truthOf(question, answer);
      if (truth === undefined) {
        const what = `has ${shapeOf(answer)} as answer to question ${i + 1}, which a ${question.type} question does not allow`;
        throw wrongRow(file, line, what);
      }
      return { id, question, truth };
    });
    return {
      line,
      state,
      questions: Object.fromEntries(entries.map(({ id, question }) => [id, question])),
      truths: Object.fromEntries(entries.map(({ id, truth }) => [id, truth])),
    };
  });
}

/**
 * The right option's key, or undefined if `answer` is not valid for this type. A choice takes one of its keys, a noul (yes/no question) true or
 * false, a score the number of a level.
 */
function truthOf({ type, criteria }: Question, answer: unknown): string | undefined {
  if (type === "noul") return typeof answer === "boolean" ? (answer ? "yes" : "no") : undefined;
  if (type === "choice") return typeof answer === "string" && Object.hasOwn(criteria, answer) ? answer : undefined;
  return typeof answer === "number" && Number.isInteger(answer) && answer >= 0 && answer < criteria.length ? String(answer) : undefined;
}
