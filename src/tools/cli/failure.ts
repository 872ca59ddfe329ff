import { CommanderError } from "commander";
import { DecideError, textOfCause, type DecideErrorCode, type Issue, type Location } from "../../errors.ts";
import { ToolError } from "../tool-error.ts";
import type { Io } from "./io.ts";
import { clip, escapeControls, oneLine } from "./output/terminal-text.ts";

const FAILED = 1;
const BAD_INPUT = 2;

const INPUT_CODES: readonly DecideErrorCode[] = ["invalid_request", "input_too_long", "model_not_found"];
const MAX_ISSUES = 20;
const MAX_NAME_CELLS = 60;
const MAX_CAUSE_CELLS = 300;

class SourceError extends Error {
  override readonly name = "SourceError";
  readonly source: string;

  constructor(source: string, cause: unknown) {
    super(textOfCause(cause), { cause });
    this.source = source;
  }
}

/** Waits for a task. If it fails with a list of issues, `report` introduces them with `source`. */
export async function withSource<T>(source: string, task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    throw DecideError.isInstance(error) ? new SourceError(source, error) : error;
  }
}

/** Writes an error to standard error, without a stack. @returns the exit code: 1 failed, 2 bad input */
export function report({ stderr }: Pick<Io, "stderr">, error: unknown): number {
  // Commander has written its own message. Its "errors" for --help and --version have the exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_INPUT;
  const [known, source] = error instanceof SourceError ? [error.cause, error.source] : [error, "The call"];
  stderr.write(escapeControls(`umpire: ${linesOf(known, source).join("\n")}\n`));
  if (known instanceof ToolError) return known.exitCode;
  return DecideError.isInstance(known) && INPUT_CODES.includes(known.code) ? BAD_INPUT : FAILED;
}

/** An error in words, for the person who made the call. @param source what caused it, as the start of a sentence */
export function linesOf(error: unknown, source: string): string[] {
  if (error instanceof ToolError) return [error.message];
  if (!DecideError.isInstance(error)) return [`Something unexpected failed: ${becauseOf(error)}`];
  const { code, message, issues, issuesLeftOut = 0, cause } = error;
  if (issues !== undefined && issues.length > 0) {
    // The issues say the same as the message, but with ids and keys, which this person may see.
    const verdict = code === "input_too_long" ? "is too long. Nothing is ever cut, so shorten it:" : "is not valid:";
    return [`${source} ${verdict}`, ...linesOfIssues(issues, issuesLeftOut)];
  }
  // The cause helps to repair a failure. For bad input, the message already says everything.
  return cause === undefined || INPUT_CODES.includes(code) ? [message] : [message, `  because: ${becauseOf(cause)}`];
}

function linesOfIssues(issues: readonly Issue[], leftOut: number): string[] {
  const lines = issues.slice(0, MAX_ISSUES).map(({ loc, msg }) => `  ${placeOf(loc)}: ${msg}`);
  const more = issues.length + leftOut - lines.length;
  return more > 0 ? [...lines, `  … ${more} more`] : lines;
}

/** Like `questions.route.criteria["a b"][2]`, without the leading "body" of requests. Options appear as flags, keys as in their file. */
function placeOf(loc: Location): string {
  const [root, ...path] = loc;
  if (root === "options") return `--${path.join(".")}`;
  const parts = (root === "keys" ? loc : path).map((part) => {
    if (typeof part === "number") return `[${part}]`;
    return /^[\w-]{1,40}$/u.test(part) ? `.${part}` : `[${clip(JSON.stringify(part), MAX_NAME_CELLS)}]`;
  });
  return parts.join("").replace(/^\./u, "") || "it";
}

function becauseOf(cause: unknown): string {
  // The cause of an error that crossed from a thread is an Error whose message starts with its own name.
  const text = textOfCause(cause).replace(/^Error: (?=\w*Error: )/u, "");
  return clip(oneLine(text.split("\n", 1).join("")), MAX_CAUSE_CELLS);
}
