// @ts-check
// Writes JSON values as JavaScript: keys without quotes where possible, short values on one line.

const MAX_COLUMNS = 72;
const INDENT = "  ";

/**
 * @param {unknown} value
 * @param {string} [indent] of the line on which it starts
 * @param {number} [used] columns of that line that are taken
 * @returns {string}
 */
export function literal(value, indent = "", used = indent.length) {
  const flat = onOneLine(value);
  if (typeof value !== "object" || value === null || used + flat.length <= MAX_COLUMNS) return flat;
  const inner = indent + INDENT;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join("")}${indent}]`;
  }
  const lines = Object.entries(value).map(([key, item]) => {
    const start = `${inner}${name(key)}: `;
    return `${start}${literal(item, inner, start.length)},\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

/**
 * Writes the access to a property.
 * @param {string} key
 */
export function access(key) {
  return isName(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function onOneLine(value) {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  return entries.length === 0 ? "{}" : `{ ${entries.map(([key, item]) => `${name(key)}: ${onOneLine(item)}`).join(", ")} }`;
}

/** @param {string} key */
function name(key) {
  // As a plain key, with or without quotes, this one would set the object's prototype.
  if (key === "__proto__") return '["__proto__"]';
  return isName(key) ? key : JSON.stringify(key);
}

/** @param {string} key */
function isName(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key);
}
