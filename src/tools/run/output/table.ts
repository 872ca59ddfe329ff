import type { Answer } from "../../../library/decide/types.ts";
import { isPlainObject } from "../../../library/validation/shape.ts";
import type { Plan } from "../plan.ts";
import { RESULT_NAMES } from "./result-line.ts";

/** A value in a table. */
export type Cell = string | number | boolean | null;

/** A line of results, as it was read again. */
export interface ResultLine {
  readonly [column: string]: unknown;
}

/** What a column's values are, in forms that say so. */
export type CellType = "STRING" | "BOOLEAN" | "INT64" | "DOUBLE";

/** A column of the table of results. */
export interface Column {
  readonly name: string;
  /** Absent for what is copied: its values say. */
  readonly type?: CellType;
  readonly of: (line: ResultLine) => Cell;
}

/**
 * The columns of results as a table: what is copied; for each question its answer, the answer's probability, how often such answers are right, and with a rate
 * of errors whether to act on it; then warnings and the error.
 */
export function columnsOf({ columns, questions, maxErrorRate }: Pick<Plan, "columns" | "questions" | "maxErrorRate">): Column[] {
  return [
    ...columns.map((name) => ({ name, of: (line: ResultLine) => cellOf(own(line, name)) })),
    ...Object.entries(questions).flatMap(([id, { type }]) => columnsOfQuestion(id, SAID[type], maxErrorRate !== null)),
    { name: "warnings", type: "STRING", of: warningsIn },
    { name: "error", type: "STRING", of: errorIn },
  ];
}

/** What answers are, by the type of their question. */
const SAID: { readonly [Type in Answer["type"]]: CellType } = { choice: "STRING", noul: "BOOLEAN", score: "DOUBLE" };

function columnsOfQuestion(id: string, said: CellType, withAct: boolean): Column[] {
  const column = (suffix: string, type: CellType, of: (answer: Answer) => Cell): Column => ({
    name: `${id}${suffix}`,
    type,
    of: (line) => {
      const answer = answerIn(line, id);
      return answer === undefined ? null : of(answer);
    },
  });
  return [
    column("", said, saidIn),
    column("_probability", "DOUBLE", probabilityOf),
    column("_accuracy", "DOUBLE", ({ x_accuracy }) => x_accuracy ?? null),
    ...(withAct ? [column("_act", "BOOLEAN", ({ x_act }) => x_act ?? null)] : []),
  ];
}

/** A choice's option, true or false of a noul (yes/no question), a score's expected level. */
function saidIn(answer: Answer): Cell {
  if (answer.type === "choice") return answer.choice;
  return answer.type === "noul" ? answer.noul >= 0.5 : answer.score;
}

/** Of the likeliest option. */
function probabilityOf(answer: Answer): number {
  return answer.type === "noul" ? Math.max(answer.noul, 1 - answer.noul) : Math.max(...Object.values(answer.probabilities));
}

function answerIn(line: ResultLine, id: string): Answer | undefined {
  const { answers } = line;
  return isPlainObject(answers) ? (own(answers, id) as Answer | undefined) : undefined;
}

/** Every answer to a row has the same ones. */
function warningsIn({ answers }: ResultLine): Cell {
  const [first] = isPlainObject(answers) ? (Object.values(answers) as Answer[]) : [];
  return first?.x_warnings?.join(" ") ?? null;
}

function errorIn({ error }: ResultLine): Cell {
  return isPlainObject(error) ? `${String(error["code"])}: ${String(error["message"])}` : null;
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : JSON.stringify(value);
}

function own(object: { readonly [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * A name that two columns of the results would have, as lines of JSON or as a table; undefined if none is there twice.
 * @param asTable whether they are to be a table
 */
export function nameTwice(plan: Pick<Plan, "columns" | "questions" | "maxErrorRate">, asTable: boolean): string | undefined {
  const names = asTable ? columnsOf(plan).map(({ name }) => name) : plan.columns;
  return plan.columns.find((name) => RESULT_NAMES.includes(name)) ?? names.find((name, i) => names.indexOf(name) < i);
}
