import { wrongRow } from "./bad-input.mjs";
import { DecideError, parseRequest } from "./library.mjs";

/**
 * Checks a row's request with the library's own rules, before anything is asked.
 * @throws {BadInput}
 */
export function checkRequest(file, line, request) {
  try {
    parseRequest(request);
  } catch (error) {
    if (!DecideError.isInstance(error)) throw error;
    throw wrongRow(file, line, `is not a valid request. ${error.message.replace(/\.$/, "")}`);
  }
}
