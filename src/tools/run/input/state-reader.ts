import type { State } from "../../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../../library/validation/shape.ts";

interface Fields {
  readonly [column: string]: unknown;
}

/** What reads the state of rows. */
export interface StateReader {
  /** The columns that it reads. */
  readonly columns: readonly string[];
  /** A row's state; or what is wrong with it, after "line 3: ". */
  read(row: Fields): { readonly state: State } | { readonly wrong: string };
}

const COLUMN_IN_BRACES = /\{([^{}]+)\}/gu;
/** Where none is named: the first of these that rows have. */
const USUAL = ["state", "text"] as const;

/**
 * What reads the state of rows: from a column, or by a template with columns in braces, such as `{subject}\n\n{body}`, in which \n is a line break.
 * @param given undefined: the column `state` or, if the first row has none, `text`
 */
export function stateReader(given: string | undefined, first: Fields): StateReader {
  const spec = given ?? USUAL.find((name) => Object.hasOwn(first, name)) ?? USUAL[0];
  const columns = Object.hasOwn(first, spec) ? [] : Array.from(spec.matchAll(COLUMN_IN_BRACES), ([, name = ""]) => name);
  if (columns.length === 0) return { columns: [spec], read: (row) => stateIn(row, spec) };
  return {
    columns: [...new Set(columns)],
    read: (row) => {
      const texts = new Map(columns.map((name) => [name, textOf(own(row, name))]));
      if ([...texts.values()].every((text) => text.trim() === "")) return { wrong: `has no text in ${columns.join(", ")}` };
      // Not by String.replace alone: a text may hold what looks like one of its patterns.
      const parts = spec.split(COLUMN_IN_BRACES);
      return { state: parts.map((part, i) => (i % 2 === 1 ? texts.get(part) : part.replaceAll("\\n", "\n"))).join("") };
    },
  };
}

function stateIn(row: Fields, column: string): { readonly state: State } | { readonly wrong: string } {
  const value = own(row, column);
  if (value === undefined) return { wrong: `has no ${column}` };
  if (typeof value === "number" || typeof value === "boolean") return { state: String(value) };
  if (value === null || (typeof value === "string" && value.trim() === "")) return { wrong: `has no text in ${column}` };
  if (typeof value === "string" || Array.isArray(value) || isPlainObject(value)) return { state: value as State };
  return { wrong: `must have a text, an object or an array as ${column}, but has ${shapeOf(value)}` };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function own(row: Fields, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}
