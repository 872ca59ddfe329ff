import type { State } from "../../library/decide/types.ts";
import { compact, type Member } from "./json-text.ts";
import { columnsIn, ownValue, rowWithDigits, USUAL, type Row } from "./read-rows.ts";

/** A row's state; or what is wrong with it, after "line 3: ". */
type StateRead = { readonly state: State } | { readonly wrong: string };

export function stateIn(row: Row, column: string): StateRead {
  const value = ownValue(row.value, column);
  if (typeof value === "string" && value.trim() !== "") return { state: value };
  if (value === undefined) return { wrong: `has no ${column}` };
  if (value === null || typeof value === "string") return { wrong: `has no text in ${column}` };
  const kept = ownValue(rowWithDigits(row), column);
  return { state: typeof kept === "number" || typeof kept === "boolean" ? String(kept) : (kept as State) };
}

export interface StateReader {
  readonly columns: readonly string[];
  /** A row's state; or what is wrong with it, after "line 3: ". */
  readonly read: (row: Row, members?: readonly Member[]) => StateRead;
}

const COLUMN_IN_BRACES = /\{([^{}]+)\}/gu;

/**
 * A reader: from a column, or by a template with columns in braces, such as `{subject}\n\n{body}`, in which \n is a line break.
 * @param given undefined: the usual column
 * @param names of the columns that there are
 */
export function stateReader(given: string | undefined, names: readonly string[]): StateReader {
  const spec = given ?? names.find((name) => (USUAL.text as readonly string[]).includes(name.toLowerCase())) ?? USUAL.text[0];
  const columns = names.includes(spec) ? [] : Array.from(spec.matchAll(COLUMN_IN_BRACES), ([, name = ""]) => name);
  if (columns.length === 0) return { columns: [spec], read: (row) => stateIn(row, spec) };
  return {
    columns: [...new Set(columns)],
    read: (row, members = columnsIn(row)) => {
      const texts = new Map(columns.map((name) => [name, textOfJson(members.find(([own]) => own === name)?.[1])]));
      if ([...texts.values()].every((text) => text.trim() === "")) return { wrong: `has no text in ${columns.join(", ")}` };
      // Not by String.replace alone: a text may hold what looks like one of its patterns.
      const parts = spec.split(COLUMN_IN_BRACES);
      return { state: parts.map((part, i) => (i % 2 === 1 ? texts.get(part) : part.replaceAll("\\n", "\n"))).join("") };
    },
  };
}

/** A value of JSON as a text; "" for null. */
export function textOfJson(json = "null"): string {
  if (json === "null") return "";
  return json.startsWith('"') ? (JSON.parse(json) as string) : compact(json);
}
