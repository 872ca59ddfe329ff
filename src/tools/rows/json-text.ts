import { isPlain, isPlainObject, shapeOf } from "../../library/validation/field.ts";
import { badInput } from "../tool-error.ts";
import { MAX_LINE_CHARACTERS } from "./read-text.ts";

/** Values as the file has them: JSON.parse rounds numbers, and objects put names that look like numbers first. */

/** A column's name, and its value as JSON, as it is in the file. */
export type Member = readonly [name: string, json: string];

/** The object in a text; undefined if there is none, or something else. */
export function jsonObjectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Only a text between members can break a line. */
const BREAKS = /[\r\n]+/gu;

/** The members of an object in their own order. @param json of an object, valid */
export function membersOf(json: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let from = 0;
  let name: string | undefined;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1) name ??= JSON.parse(json.slice(at, end)) as string;
      at = end - 1;
    } else if (character === ":" && depth === 1) from = at + 1;
    else if (character === "{" || character === "[") depth++;
    else if (character === "," || character === "}" || character === "]") {
      if (depth === 1 && name !== undefined) members.push([name, json.slice(from, at).trim().replaceAll(BREAKS, " ")]);
      if (depth === 1) name = undefined;
      if (character !== ",") depth--;
    }
  }
  return members;
}

/** A name that an object has twice, whether it is this one or one inside; arrays are not looked into. @param json valid */
export function nameTwiceIn(json: string): string | undefined {
  const members = /^\s*\{/u.test(json) ? membersOf(json) : [];
  const names = members.map(([name]) => name);
  if (new Set(names).size < names.length) return names.find((name, i) => names.indexOf(name) < i);
  for (const [, inside] of members) {
    const twice = nameTwiceIn(inside);
    if (twice !== undefined) return twice;
  }
  return undefined;
}

/** Where a string ends that begins at `at`: behind its quote. Infinity if it does not end. */
function endOfString(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end + 1;
  }
  return Infinity;
}

/** Valid JSON with what is between its strings replaced, and its strings. */
function replaced(json: string, between: (part: string) => string, string = (quoted: string): string => quoted): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at);
    if (quote < 0) return [...parts, between(json.slice(at))].join("");
    const end = endOfString(json, quote);
    parts.push(between(json.slice(at, quote)), string(json.slice(quote, end)));
    at = end;
  }
  return parts.join("");
}

/** Numbers that JavaScript would write in another way; texts may look like them. */
const UNUSUAL = /[\d.]{16}|\d[eE]|\.\d*0(?!\d)|\.0{6}|-0(?!\d)/u;

/** As JSON.parse, but a number that JavaScript would write in another way is a text of its digits. @param json valid */
export function withDigits(json: string): unknown {
  if (!UNUSUAL.test(json)) return JSON.parse(json);
  const kept = (digits: string): string => (String(Number(digits)) === digits ? digits : `"${digits}"`);
  return JSON.parse(replaced(json, (part) => part.replaceAll(/-?\d[\d.eE+-]*/gu, kept)));
}

/** JSON as JSON.stringify writes it, but with its own digits and order. @param json valid */
export function compact(json: string): string {
  return replaced(
    json,
    (part) => part.replaceAll(/\s+/gu, ""),
    (quoted) => JSON.stringify(JSON.parse(quoted)),
  );
}

/** A row of JSON, or what is wrong with it: never its text. */
export type JsonRow =
  | { readonly value: unknown; readonly json: string; readonly members: readonly Member[] }
  | { readonly wrong: string; readonly column?: number };

export function jsonRow(text: string): JsonRow {
  // A file that was joined to others may begin with a mark.
  const json = text.trim();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const wrong = `must be one JSON object, but ${whyNoJson(json)} (${json.length} characters)`;
    // The rest of the parser's message quotes the text. Not every version of Node says where it is.
    const [, position] = /position (\d+)/u.exec(String(error)) ?? [];
    return position === undefined ? { wrong } : { wrong, column: Number(position) + 1 + text.indexOf(json) };
  }
  if (!isPlainObject(value)) return { value, json, members: [] };
  const members = membersOf(json);
  const names = members.map(([name]) => name);
  const twice = names.length === Object.keys(value).length ? undefined : names.find((name, i) => names.indexOf(name) < i);
  return twice === undefined ? { value, json, members } : { wrong: `has the field ${isPlain(twice) ? `${twice} ` : ""}twice` };
}

/** Other programs' spellings of JSON, in words that follow "the line". */
const NEARLY: readonly (readonly [RegExp, string])[] = [
  [/^[{[]$/u, "goes on in the next lines: put each object on one line, or all of them into one array"],
  [/(?:^|[\s:,[])-?(?:NaN|Infinity)\b/u, "holds NaN or Infinity, which JSON does not know: write null"],
  [/(?:^|[\s:,[])(?:None|True|False|undefined)\b/u, "holds None, True, False or undefined, which JSON does not know"],
  [/^\{\s*'/u, "has single quotes, where JSON has double ones"],
  [/,\s*[}\]]/u, "has a comma too many"],
  [/\}\s*\{/u, "holds several objects: put each on a line of its own"],
  [/\}\s*,$/u, "has a comma at its end"],
];

const SHOWN_CHARACTERS = 10_000;

function whyNoJson(json: string): string {
  const outside = json.slice(0, SHOWN_CHARACTERS).replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""');
  return NEARLY.find(([pattern]) => pattern.test(outside))?.[1] ?? "is not valid JSON";
}

/**
 * The elements of a JSON array, with the lines where they begin, from 1, as they are read.
 * @throws {ToolError} if it is not closed, or something follows it
 */
export async function* elementsOf(
  name: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<{ number: number; text: string }, void, void> {
  let [depth, line, number] = [0, 1, 1];
  let [isString, isEscaped, isAfter, wasReturn] = [false, false, false, false];
  let text = "";
  const wrong = (what: string): Error => badInput(`${name}, line ${number}: ${what}.`);
  for await (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] ?? "";
      const isBlank = character.trim() === "";
      if (character === "\r" || (character === "\n" && !wasReturn)) line++;
      wasReturn = character === "\r";
      if (isAfter && !isBlank) {
        number = line;
        throw wrong("something follows the end of the array");
      }
      if (isString) {
        if (character === '"' && !isEscaped) isString = false;
        isEscaped = character === "\\" && !isEscaped;
        continue;
      }
      if (isBlank) continue;
      if (depth === 1 && text === "" && piece.slice(from, at).trim() === "") number = line;
      if (character === '"') isString = true;
      const closes = character === "}" || character === "]";
      if (depth === 1 && (character === "," || closes)) {
        text += piece.slice(from, at);
        if (text.trim() !== "") yield { number, text };
        text = "";
        from = at + 1;
        isAfter = closes;
        number = line;
      }
      if (character === "{" || character === "[") {
        if (depth === 0) from = at + 1;
        depth++;
      } else if (closes) depth--;
    }
    text = (text + piece.slice(from)).replace(/^\s+/u, "");
    if (text.length > MAX_LINE_CHARACTERS) throw wrong(`has more than ${MAX_LINE_CHARACTERS} characters. Is it an array of rows?`);
  }
  if (!isAfter) throw wrong("the array is not closed: the file is not whole, or a bracket is missing in this row");
}

/** The kind of a row that is no object, for a message. */
export function noObject(value: unknown): string {
  return `must be an object with columns, but is ${shapeOf(value)}`;
}
