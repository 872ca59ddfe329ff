import { isPlain } from "./nearest.ts";

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
