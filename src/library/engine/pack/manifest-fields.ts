import { matching, numberBetween, oneOf, wholeNumber, type Field, type Rule } from "../../validation/field.ts";

/** Reads a field of a manifest. An invalid one becomes an issue and reads as a placeholder of its type: look at the issues before using it. */
export type Reader<T> = (field: Field) => T;

/** A reader for each field of an object. */
export type Readers<T> = { readonly [Name in keyof T]-?: Reader<T[Name]> };

const A_NUMBER: Rule = { isKept: Number.isFinite, words: "a number" };
const ABOVE_0: Rule = { isKept: (value) => Number.isFinite(value) && Number(value) > 0, words: "a number above 0" };
const A_TEXT = matching(/^[^]{1,10000}$/, "a text of 1 to 10000 characters");
const TRUE: Rule = { isKept: (value) => value === true, words: "true" };
/** Safe in a message and as a file's name: no folder, no URL, no device. */
const A_NAME = matching(/^[a-z\d][\w.-]{0,99}$/i, "a plain name of letters, digits, dots, dashes and underscores");

const textThat =
  (rule: Rule): Reader<string> =>
  (field) =>
    field.keeps(rule) ? String(field.value) : "";

export const textOf = textThat(A_TEXT);

/** A model's id, or the name of a file in the pack's folder. */
export const plainNameOf = textThat(A_NAME);

export function isPlainName(name: string): boolean {
  return A_NAME.isKept(name);
}

export function nameOf<const Name extends string>(field: Field, names: readonly [Name, ...Name[]]): Name {
  return field.keeps(oneOf(names)) ? (field.value as Name) : names[0];
}

/** An invalid number reads as NaN: no comparison holds with it, so that one mistake does not lead to another issue. */
const numberThat =
  (rule: Rule): Reader<number> =>
  (field) =>
    field.keeps(rule) ? Number(field.value) : NaN;

export const numberOf = numberThat(A_NUMBER);
export const numberAbove0Of = numberThat(ABOVE_0);
export const probabilityOf = numberThat(numberBetween(0, 1));

export function countFrom(min: number, max?: number): Reader<number> {
  return numberThat(wholeNumber(min, max));
}

export function trueOf(field: Field): true {
  field.keeps(TRUE);
  return true;
}

export function listOf<T>(read: Reader<T>): Reader<T[]> {
  return (field) => field.items("an array").map(read);
}

const MAX_ORDERED = 64;

/** A list of 1 to 64 items in an order. @param isMisplaced of an item and the one before it @param what completes "must have 1 to 64 ..." */
export function orderedListOf<T>(read: Reader<T>, isMisplaced: (item: T, before: T | undefined) => boolean, what: string): Reader<T[]> {
  return (field) => {
    const items = listOf(read)(field);
    // A value that is no array has its issue already.
    if (Array.isArray(field.value) && (!items.length || items.some((item, i) => i >= MAX_ORDERED || isMisplaced(item, items[i - 1]))))
      field.refuse(`must have 1 to ${MAX_ORDERED} ${what}`, "unknown_value");
    return items;
  };
}

/** An object with the fields that have readers. What `optional` leaves out is not among them. */
export function objectOf<T>(readers: Readers<T>): Reader<T> {
  return (field) => {
    const entries = Object.entries<Reader<unknown>>(readers).map(([name, read]) => [name, read(field.get(name))]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T;
  };
}

/** A field that may be missing. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (field) => (field.isMissing ? undefined : read(field));
}
