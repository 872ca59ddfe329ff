import { DecideError } from "../../errors.ts";
import type { IssueType } from "../../errors.ts";

export interface JsonLimits {
  /** How deep arrays and objects may nest. */
  readonly nesting: number;
  /** Number of values in arrays and objects. */
  readonly values: number;
}

const [QUOTE, COMMA, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks the size of JSON before it is parsed: deep values can overflow the stack of code that reads them recursively, and many values take long to read.
 * Text that is not JSON passes; the parser refuses it.
 * @throws {DecideError} `invalid_request` naming the limit.
 */
export function checkJsonLimits(text: string, { nesting, values }: JsonLimits): void {
  let depth = 0;
  let count = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      if (++depth > nesting) throw refused(`nests arrays and objects deeper than ${nesting} levels`, "too_deep");
      // What is not closed at once holds a value. (Closing brackets are two code units after those that open.)
      if (text.charCodeAt(i + 1) !== character + 2 && ++count > values) throw tooMany(values);
    } else if (character === COMMA) {
      if (++count > values) throw tooMany(values);
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--;
  }
}

function tooMany(values: number): DecideError {
  return refused(`holds more than ${values} values`, "too_many");
}

function refused(msg: string, type: IssueType): DecideError {
  return new DecideError("invalid_request", `The body ${msg}, the limit of this service.`, { issues: [{ loc: ["body"], msg, type }] });
}
