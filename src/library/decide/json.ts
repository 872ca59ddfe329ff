/** Texts and other JSON values, as types. */

/** A value that JSON can hold. Numbers are finite. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A text; or an object or array, which is read as `key: value` and `- item` lines, in its own order. */
export type Text = string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Nothing has this type, and the compiler's error shows the message. */
export interface Mistake<Message extends string> {
  readonly mistake: Message;
}

/** An object, of an interface's type, too. Not a function, nor what says of itself that it is no plain object, such as a Date, a Map or a Promise. */
type PlainObject = object & {
  readonly [Symbol.hasInstance]?: never;
  readonly [Symbol.toPrimitive]?: never;
  readonly [Symbol.toStringTag]?: never;
};

/** A text; or an object or array, which is read as `key: value` and `- item` lines, in its own order. */
export type State = string | readonly unknown[] | PlainObject | { readonly [key: string]: unknown };

/**
 * A state's own type, with a mistake in place of what JSON cannot hold. (An interface has no index signature, so it cannot be compared with `JsonValue`.)
 * What is unknown is only checked when the program runs.
 */
export type JsonOf<T> = State extends T
  ? unknown
  : T extends JsonValue | undefined
    ? T
    : T extends bigint | symbol | ((...given: never) => unknown) | (abstract new (...given: never) => unknown)
      ? Mistake<"JSON cannot hold this value">
      : { readonly [K in keyof T]: JsonOf<T[K]> };
