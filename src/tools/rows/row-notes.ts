import type { Io } from "../cli/io.ts";
import { escapeControls, oneLine } from "../cli/output/terminal-text.ts";
import { badInput, ToolError } from "../tool-error.ts";
import { nameOf } from "./read-text.ts";

/** The exit code of a command that left out some rows. */
export const SOME_LEFT_OUT = 3;
const SHOWN = 5;

/** A flaw of one row: the others can be used. */
export class UnusableRow extends ToolError {
  /** After "line 3: "; never its text. */
  readonly wrong: string;

  constructor(file: string, line: number, wrong: string, column?: number) {
    super(`${file}, line ${line}${column === undefined ? "" : `, column ${column}`}: ${wrong}.`, { exitCode: 2 });
    this.wrong = wrong;
  }
}

/** Where a row is: the line where it starts, from 1, and the id that its own column gives it, if one was named. */
export interface RowPlace {
  readonly line: number;
  readonly id?: unknown;
}

/** For example `line 4`, or `line 4 (t-101)`. */
export function placeText({ line, id = null }: RowPlace, unit = "line"): string {
  const shown = typeof id === "string" ? oneLine(id) : JSON.stringify(id);
  return `${unit} ${line}${id === null || shown === "" ? "" : ` (${shown})`}`;
}

/** Notes of a command that takes all rows of a file: which it leaves out, and which labels it takes for one. */
export class RowNotes {
  leftOut = 0;
  readonly #file: string;
  readonly #isStrict: boolean;
  readonly #first: { readonly line: number; readonly text: string }[] = [];
  readonly #joined = new Map<string, Set<string>>();

  /** @param isStrict whether a row that cannot be used ends it all */
  constructor(file: string, isStrict = false) {
    this.#file = nameOf(file);
    this.#isStrict = isStrict;
  }

  leaveOut(row: RowPlace, wrong: string): void {
    if (this.leftOut++ >= SHOWN) return;
    this.#first.push({ line: row.line, text: `${placeText(row)}: ${wrong}` });
    // One that only the model finds too long is told later.
    this.#first.sort((a, b) => a.line - b.line);
  }

  /** A row as it can be used; undefined for one that cannot, which is left out. */
  used<R extends RowPlace, T>(row: R, use: (row: R) => T): T | undefined {
    try {
      return use(row);
    } catch (error) {
      if (!(error instanceof UnusableRow) || this.#isStrict) throw error;
      this.leaveOut(row, error.wrong);
      return undefined;
    }
  }

  /** A label that is taken for another one, which differs by case, blanks or Unicode form only. */
  join(label: string, other: string): void {
    if (label !== other) this.#joined.set(other, (this.#joined.get(other) ?? new Set()).add(label));
  }

  /** @throws {ToolError} if no row is left */
  checkSome(count: number): void {
    if (count === 0)
      throw badInput(`${this.#file} has no row that can be used. ${this.#first.map(({ text }) => `${this.#file}, ${text}.`).at(0) ?? ""}`);
  }

  /** Says it on standard error, and by the exit code: 3 if rows are left out. */
  tell(io: Pick<Io, "stderr" | "exitCode">): void {
    const notice = (sentence: string): void => void io.stderr.write(escapeControls(`umpire: ${sentence}\n`));
    for (const [label, others] of this.#joined)
      notice(
        `labels of ${this.#file} that differ by case, blanks or Unicode form only are taken for one: ${[...others].map(visible).join(", ")} for ${visible(label)}. To keep them apart, name both as options.`,
      );
    if (this.leftOut === 0) return;
    const more = this.leftOut - this.#first.length;
    const rows = this.leftOut === 1 ? "1 row is" : `${this.leftOut} rows are`;
    notice(`${rows} left out of ${this.#file}: ${this.#first.map(({ text }) => text).join("; ")}${more > 0 ? `; and ${more} more` : ""}.`);
    io.exitCode = SOME_LEFT_OUT;
  }
}

/** A label in quotes, with blanks that nobody would see. */
function visible(label: string): string {
  const shown = label.replaceAll(/^ +| +$| {2,}/gu, (blanks) => "␣".repeat(blanks.length));
  return `"${oneLine(shown.replaceAll(/[^\S ]|[\u200b\u2060\u0300-\u036f]/gu, (blank) => `<U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`))}"`;
}

/** The same for labels that differ by case, blanks or Unicode form only. */
function alike(label: string): string {
  return label
    .normalize("NFC")
    .replaceAll(/[\u200b\u2060]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase();
}

/** Finds the label that is meant by one that may differ from it by case, blanks or Unicode form; undefined if none is, or more than one. */
export function labelFinder(labels: readonly string[]): (label: string) => string | undefined {
  const exact = new Set(labels);
  const byForm = new Map<string, string | undefined>();
  for (const label of exact) byForm.set(alike(label), byForm.has(alike(label)) ? undefined : label);
  return (label) => (exact.has(label) ? label : byForm.get(alike(label)));
}

/** Of labels that differ by case, blanks or Unicode form only the most frequent one, or the first. */
export function mainLabels(labels: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const byForm = new Map<string, string>();
  for (const [label, count] of counts) {
    const before = byForm.get(alike(label));
    if (before === undefined || count > (counts.get(before) ?? 0)) byForm.set(alike(label), label);
  }
  return [...byForm.values()];
}
