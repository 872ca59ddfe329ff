import { parseRequest } from "../../library/decide/request.ts";
import { DecideError } from "../../errors.ts";
import { wrongRow } from "../rows/read-rows.ts";

/**
 * Checks a row's request with the library's own rules, before anything is asked.
 * @throws {ToolError}
 */
export function checkRequest(file: string, line: number, request: unknown): void {
  try {
    parseRequest(request);
  } catch (error) {
    if (!DecideError.isInstance(error)) throw error;
    // The message starts with the same words, and points at a list that this person does not see.
    const said = error.message.replace(/^The request is not valid: /u, "").replace(/: see issues(?=\)\.$)|\.$/gu, "");
    throw wrongRow(file, line, `is not a valid request. ${said}`);
  }
}
