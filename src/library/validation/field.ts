import { DecideError, type Issue, type IssueType, type Location } from "../../errors.ts";

/**
 * Whether a name is short and plain, as names in programs are: only such names may stand in a message. Anything else may be what a person wrote about
 * another.
 */
export function isPlain(name: unknown): name is string {
  return typeof name === "string" && /^[\w.:/-]{1,40}$/.test(name);
}

/** The known name that is nearest to a name; of several, the first. @param known one name or more */
export function nearest(name: string, known: readonly string[]): string | undefined {
  // A longer name is nearer to none, and need not be compared to its end.
  const start = name.slice(0, 40);
  return known.toSorted((a, b) => typos(start, a) - typos(start, b))[0];
}

/** Whether a name is another one with a typing error or two. */
export function isNear(name: string, known: string): boolean {
  // Compared only if there may be as few as that.
  return Math.abs(name.length - known.length) <= 2 && typos(name, known) <= (known.length > 5 ? 2 : 1);
}

/** Letters that are missing, too many, wrong or swapped with the next one, whatever their case (optimal string alignment). */
function typos(name: string, known: string): number {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()];
  let before: number[] = [];
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    [before, above, row] = [above, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(row, j - 1) + 1,
          at(above, j) + 1,
          at(above, j - 1) + Number(a[i - 1] !== b[j - 1]),
          isSwapped ? at(before, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(row, b.length);
}

function at(row: readonly number[], j: number): number {
  return row[j] ?? Infinity;
}

/** Type and size of a value, for messages: never its text. */
export function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "string") return value === "" ? "an empty string" : `a string of ${counted(value.length, "character")}`;
  if (isPlainObject(value)) return `an object with ${counted(Object.keys(value).length, "key")}`;
  if (typeof value === "object") return `an object of ${classOf(value)}`;
  if (value === undefined) return "nothing";
  return `a ${typeof value}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Its name is a program's, and says most: a Promise that was not awaited, an AbortController where its signal belongs. */
function classOf(value: object): string {
  const name = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return isPlain(name) ? `class ${name}` : "a class";
}

/** As `shapeOf`, but a number is shown: it is no one's text, and says more than its type. */
export function shownValue(value: unknown): string {
  return typeof value === "number" ? String(value) : shapeOf(value);
}

/** A JSON object: not an array, and not an object such as a Date or a Map, whose keys do not show its content. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && Object.prototype.toString.call(value) === "[object Object]";
}

/** A rule for a value. */
export interface Rule {
  readonly isKept: (value: unknown) => boolean;
  /** The rule in words that follow "must be". */
  readonly words: string;
  /** How a message puts a value that breaks the rule. Default: `shownValue` */
  readonly shown?: (value: unknown) => string;
}

/** A rule for each field of an object type, optional fields included. */
export type RulesOf<T> = { readonly [Field in keyof T]-?: Rule };

export const TRUE_OR_FALSE: Rule = { isKept: (value) => typeof value === "boolean", words: "true or false" };

export const A_LIST: Rule = { isKept: Array.isArray, words: "an array" };

export const A_FUNCTION: Rule = { isKept: (value) => typeof value === "function", words: "a function" };

/** By what it can do: a decider may be the caller's own, around ours. */
export const A_DECIDER: Rule = {
  isKept: (value) => canDo(value, ["decide"]),
  words: "a decider, such as createDecider()",
};

/** Whether a value has all these methods. */
export function canDo(value: unknown, methods: readonly string[]): boolean {
  return methods.every((name) => typeof (Object(value) as { readonly [method: string]: unknown })[name] === "function");
}

/** By its class's name and by what it can do, not by its class: a signal may come from another realm. */
export const AN_ABORT_SIGNAL: Rule = {
  isKept: (value) => {
    const { throwIfAborted, addEventListener } = Object(value) as { [method: string]: unknown };
    const isSignal = Object.prototype.toString.call(value) === "[object AbortSignal]";
    return isSignal && typeof throwIfAborted === "function" && typeof addEventListener === "function";
  },
  words: "an AbortSignal, such as controller.signal or AbortSignal.timeout(5000)",
};

/** A whole number from `min` to `max`; without a `max`, or where it is NaN, `min` or more. */
export function wholeNumber(min: number, max?: number): Rule {
  return {
    isKept: (value) => Number.isSafeInteger(value) && Number(value) >= min && !(Number(value) > (max ?? Infinity)),
    words: `a whole number${max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`}`,
  };
}

/** A number of `min` or more, Infinity included. */
export function numberFrom(min: number): Rule {
  return { isKept: (value) => typeof value === "number" && value >= min, words: `a number, ${min} or more` };
}

/** A number above `min` and below `max`. */
export function numberBetween(min: number, max: number): Rule {
  return { isKept: (value) => typeof value === "number" && value > min && value < max, words: `a number above ${min} and below ${max}` };
}

/** A string that is not empty. @param words what it is, such as "a device's name" */
export function filledString(words: string): Rule {
  return { isKept: (value) => typeof value === "string" && value !== "", words };
}

export function oneOf(allowed: readonly string[]): Rule {
  const quoted = allowed.map((name) => `"${name}"`);
  return {
    isKept: (value) => allowed.some((name) => name === value),
    words: quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` : quoted.join(""),
  };
}

export function matching(pattern: RegExp, words: string): Rule {
  return { isKept: (value) => typeof value === "string" && pattern.test(value), words };
}

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
  keeps({ isKept, words, shown = shownValue }: Rule): boolean {
    if (isKept(this.value)) return true;
    if (this.isMissing) this.refuseType(words);
    else this.refuse(`must be ${words}, but is ${shown(this.value)}`, "unknown_value");
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

/** An issue for a string that is none of some names. @param meant the name that was probably meant */
export function refuseName(field: Field, words: string, meant?: string): void {
  field.refuse(`must be ${words}, but is ${shownName(field.value, meant)}`, "unknown_value");
}

/** As `shownValue`, but a plain name is shown, for a value that should be a name of ours. @param meant the name that was probably meant */
export function shownName(value: unknown, meant?: string): string {
  return `${isPlain(value) ? `"${value}"` : shownValue(value)}${meant === undefined ? "" : ` (did you mean "${meant}"?)`}`;
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

/** Options of the library's own functions: the message names every invalid one, unless its name may be a person's words. @throws {DecideError} `invalid_request` if there are issues. */
export function throwIfOptionsInvalid(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const said = issues.map(({ loc, msg }) => `${nameOf(loc)} ${msg}`).join("; ");
  throw new DecideError("invalid_request", `The options are not valid: ${said}.`, { issues });
}

function nameOf([, ...path]: Location): string {
  if (path.length === 0) return "the argument";
  return path.map((part) => (typeof part === "number" || isPlain(part) ? part : "an option")).join(".");
}

/**
 * The first issue in words, and how many there are. The list is not named: it is `issues` here and `detail` over HTTP.
 * @param pathOf what a message may show of an issue's place: ids and keys are the caller's text
 * @param leftOut further issues that are not in the list
 */
export function firstOf(issues: readonly Issue[], pathOf: (loc: Location) => string, leftOut = 0): string {
  const [first] = issues;
  if (first === undefined) throw new DecideError("internal", "A value was refused without an issue.");
  const others = issues.length > 1 ? ` (the first of ${issues.length + leftOut} issues)` : "";
  return `${pathOf(first.loc)} ${first.msg}${others}`;
}

/** Checks options, all of which may be left out. Whatever is wrong becomes an issue. @param ofDecider as of `refuseUnknown` */
export function checkOptions(options: Field, rules: { readonly [option: string]: Rule }, ofDecider?: readonly string[]): void {
  const names = Object.keys(rules);
  if (!options.isObject(`an object such as { ${names[0]} }`)) return;
  refuseUnknown(options, names, ofDecider);
  for (const [name, rule] of Object.entries(rules)) options.get(name).mayKeep(rule);
}

/** Checks the options of a call. @throws {DecideError} `invalid_request` naming every invalid or unknown option. */
export function checkCallOptions<T>(options: unknown, rules: RulesOf<T>, ofDecider?: readonly string[]): void {
  const field = new Field(options, ["options"]);
  checkOptions(field, rules, ofDecider);
  throwIfOptionsInvalid(field.issues);
}
