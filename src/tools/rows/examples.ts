import type { Question, State } from "../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../library/validation/field.ts";
import { ANSWER_KINDS, type StatedAnswer } from "./answers.ts";
import { noObject } from "./json-text.ts";
import { checkColumns, ownValue, rowsOf, USUAL, usualColumn, wrongRow, type Columns, type Row, type TableOptions } from "./read-rows.ts";
import { nameOf } from "./read-text.ts";
import { labelFinder, type RowNotes, type RowPlace } from "./row-notes.ts";
import { stateReader, type StateReader } from "./state.ts";

interface StatedExample extends RowPlace {
  readonly state: State;
  /** undefined: an example without an answer. */
  readonly answer: StatedAnswer | undefined;
}

/**
 * The examples in a file or in standard input, as they are read. One or more.
 * @param notes is told of the rows that are left out
 * @throws {ToolError} if a column is missing, or what follows cannot be read
 */
export async function* examplesOf(
  file: string,
  question: Question,
  given: Columns,
  notes: RowNotes,
  options: TableOptions = {},
): AsyncGenerator<StatedExample, void, void> {
  const reader = exampleReader(nameOf(file), question, given, notes);
  let count = 0;
  for await (const row of rowsOf(file, { ...options, idColumn: given.idColumn }, notes)) {
    const example = notes.used(row, reader.read);
    if (example === undefined) continue;
    count++;
    yield example;
  }
  reader.end();
  notes.checkSome(count);
}

interface ExampleReader {
  /** An answer that is missing, null or empty is none. @throws {UnusableRow} @throws {ToolError} if the file has not the columns */
  readonly read: (row: Row) => StatedExample;
  /** To be called after the last row. @throws {ToolError} if there was no answer: in JSON, that may be true of some rows, but not of all. */
  end(): void;
}

/** A reader of a file's rows as examples of a question. @param notes is told of labels that are written in another way */
export function exampleReader(file: string, question: Question, given: Columns, notes: RowNotes): ExampleReader {
  const { reader, words } = ANSWER_KINDS[question.type];
  const answerIn = reader(question);
  const columns = new ColumnsOfLabels(file, given);
  const meant = labelFinder(labelsOf(question));
  const answerAt = (line: number, value: unknown): StatedAnswer | undefined => {
    if (value === undefined || value === null || (typeof value === "string" && value.trim() === "")) return undefined;
    const label = typeof value === "string" && answerIn(value) === undefined ? meant(value) : undefined;
    const answer = answerIn(label ?? value);
    if (answer === undefined) throw wrongRow(file, line, `must have ${words(question)}, as ${columns.label}, but has ${shapeOf(value)}`);
    if (label !== undefined && typeof value === "string") notes.join(value, label);
    return answer;
  };
  return {
    read(row) {
      const { line, id, value } = row;
      if (!isPlainObject(value)) throw wrongRow(file, line, noObject(value));
      columns.see(row);
      return { line, id, state: columns.stateOf(row), answer: answerAt(line, ownValue(value, columns.label)) };
    },
    end: () => {
      columns.check();
    },
  };
}

function labelsOf(question: Question): string[] {
  if (question.type === "choice") return Object.keys(question.criteria);
  return question.type === "score" ? question.criteria.filter((level) => typeof level === "string") : [];
}

/** The columns of texts and labels: those that were named, or the usual ones of the first row that has some. A text may be made of several, by a template. */
export class ColumnsOfLabels {
  #text: string | undefined;
  #reader: StateReader;
  #label: string | undefined;
  readonly #file: string;
  readonly #names = new Set<string>();

  constructor(file: string, { textColumn, labelColumn }: Columns) {
    this.#file = file;
    [this.#text, this.#label] = [textColumn, labelColumn];
    this.#reader = stateReader(textColumn, []);
  }

  /** @throws {UnusableRow} */
  stateOf(row: Row): State {
    const read = this.#reader.read(row);
    if ("wrong" in read) throw wrongRow(this.#file, row.line, read.wrong);
    return read.state;
  }

  get label(): string {
    return this.#label ?? USUAL.label[0];
  }

  /** @throws {ToolError} if it may be one column or another; or if a table, all of whose rows have the same columns, has none */
  see({ value, cells }: Row): void {
    const names = Object.keys(value as object);
    if (cells === undefined ? names.every((name) => this.#names.has(name)) : this.#names.size > 0) return;
    for (const name of names) this.#names.add(name);
    this.#text ??= usualColumn(this.#file, names, "text");
    this.#label ??= usualColumn(this.#file, names, "label");
    this.#reader = stateReader(this.#text, [...this.#names]);
    if (cells !== undefined) this.check();
  }

  /** @throws {ToolError} unless some row has them */
  check(): void {
    if (this.#names.size > 0)
      checkColumns(this.#file, [...this.#names], [...this.#reader.columns, this.label], "--text-column and --label-column");
  }
}
