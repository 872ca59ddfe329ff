/** A rule for a value. */
export interface Rule {
  readonly isKept: (value: unknown) => boolean;
  /** The rule in words that follow "must be". */
  readonly words: string;
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
    words: `a whole number${range(min, max)}`,
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

function range(min: number, max: number | undefined): string {
  return max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`;
}
