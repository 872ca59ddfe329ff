/** Type and size of a value, for messages: never its text. */
export function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "string") return value === "" ? "an empty string" : `a string of ${value.length} characters`;
  if (isPlainObject(value)) return `an object with ${Object.keys(value).length} keys`;
  if (typeof value === "object") return "an object of a class";
  if (value === undefined) return "nothing";
  return `a ${typeof value}`;
}

/** As `shapeOf`, but a number is shown: it is no one's text, and says more than its type. */
export function shownValue(value: unknown): string {
  return typeof value === "number" ? String(value) : shapeOf(value);
}

/** A JSON object: not an array, and not an object such as a Date or a Map, whose keys do not show its content. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && Object.prototype.toString.call(value) === "[object Object]";
}
