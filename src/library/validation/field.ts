import type { Issue, IssueType, Location } from "../../errors.ts";
import type { Rule } from "./rules.ts";
import { isPlainObject, shapeOf, shownValue } from "./shape.ts";
import { isPlain, isNear, nearest } from "./nearest.ts";

/**
 * A value at its place in what a caller gave. Whatever is wrong becomes an issue in one list, so that a caller learns of every mistake at once.
 * Reading never throws: the reader looks at `issues` before it uses what it read.
 */
export class Field {
  readonly value: unknown;
  readonly loc: Location;
  /** Shared by all fields of one reading. */
  readonly issues: Issue[];

  constructor(value: unknown, loc: Location, issues: Issue[] = []) {
    this.value = value;
    this.loc = loc;
    this.issues = issues;
  }

  get isMissing(): boolean {
    return this.value === undefined;
  }

  /** A field of this object, inherited ones included; its value is undefined where there is none. */
  get(name: string): Field {
    const { value } = this;
    return this.at(name, typeof value === "object" ? (value as Record<string, unknown> | null)?.[name] : undefined);
  }

  /** A value below this one. */
  at(key: string | number, value: unknown): Field {
    return new Field(value, [...this.loc, key], this.issues);
  }

  /** Whether the value is an object; if not, an issue. @param words what the object is, after "must be" */
  isObject(words: string): boolean {
    if (isPlainObject(this.value)) return true;
    this.refuseType(words);
    return false;
  }

  /** The fields of an object; of any other value none, and an issue. @param words what the object is, after "must be" */
  entries(words: string): (readonly [string, Field])[] {
    return this.isObject(words) ? Object.entries(this.value as object).map(([key, value]) => [key, this.at(key, value)]) : [];
  }

  /** The items of an array, holes included; of any other value none, and an issue. @param words what the array is, after "must be" */
  items(words: string): Field[] {
    if (!Array.isArray(this.value)) {
      this.refuseType(words);
      return [];
    }
    return Array.from<unknown, Field>(this.value, (item, i) => this.at(i, item));
  }

  /** Whether the value keeps the rule; if not, an issue. A missing value is one, too. */
  keeps({ isKept, words }: Rule): boolean {
    if (isKept(this.value)) return true;
    if (this.isMissing) this.refuseType(words);
    else this.refuse(`must be ${words}, but is ${shownValue(this.value)}`, "unknown_value");
    return false;
  }

  /** As `keeps`, for a field that may be left out. */
  mayKeep(rule: Rule): boolean {
    return this.isMissing || this.keeps(rule);
  }

  refuse(msg: string, type: IssueType): void {
    this.issues.push({ loc: this.loc, msg, type });
  }

  /** An issue for a value of the wrong type, or a missing one. */
  refuseType(words: string): void {
    if (this.isMissing) this.refuse(`is missing: it must be ${words}`, "missing");
    else this.refuse(`must be ${words}, but is ${shapeOf(this.value)}`, "wrong_type");
  }
}

/** Whether the value is a number, NaN and Infinity included; if not, an issue. @param words what the number is, after "must be" */
export function isNumber(field: Field, words: string): boolean {
  if (typeof field.value === "number") return true;
  field.refuseType(words);
  return false;
}

/** An issue for a string that is none of some names: it is shown if it is plain. @param meant the name that was probably meant */
export function refuseName(field: Field, words: string, meant?: string): void {
  const { value } = field;
  const hint = meant === undefined ? "" : ` (did you mean "${meant}"?)`;
  field.refuse(`must be ${words}, but is ${isPlain(value) ? `"${value}"` : shapeOf(value)}${hint}`, "unknown_value");
}

/**
 * An issue for each field that `known` does not name, with the nearest that it does. Undefined is as good as absent.
 * @param ofDecider options of createDecider(), where those belong elsewhere
 */
export function refuseUnknown(field: Field, known: readonly string[], ofDecider: readonly string[] = []): void {
  for (const [name, value] of isPlainObject(field.value) ? Object.entries(field.value) : []) {
    if (value === undefined || known.includes(name)) continue;
    const unknown = field.at(name, value);
    const other = nearest(name, known);
    if (ofDecider.includes(name)) unknown.refuse("is an option of createDecider()", "unknown_field");
    else if (other !== undefined && isNear(name, other)) refuseAs(unknown, other);
    else unknown.refuse(`is unknown; the nearest name is ${other}`, "unknown_field");
  }
}

/** An issue for a field under a wrong name. */
export function refuseAs(field: Field, meant: string): void {
  field.refuse(`is unknown (did you mean ${meant}?)`, "unknown_field");
}
