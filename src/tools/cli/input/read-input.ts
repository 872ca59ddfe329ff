import { text } from "node:stream/consumers";
import { DecideError } from "../../../errors.ts";
import { BadInput } from "../bad-input.ts";
import type { Io } from "../io.ts";
import { readTextFile, whyNoJson } from "./read-json.ts";

export interface RequestInput {
  /** Its origin, for messages. */
  readonly source: string;
  /** The request's `title`, which is for people and which the library ignores; "" if there is none. */
  readonly title: string;
  /** Any JSON value; the library checks it. */
  readonly value: unknown;
  /** Whether the person has just typed it, and need not see it again. */
  readonly isTyped: boolean;
}

/** Reads one request as JSON from a file, or from standard input for "-". @param expected a sentence that says what it holds */
export async function readRequest(
  { stdin }: Io,
  file: string,
  expected = "A request is a JSON object with state and questions.",
): Promise<RequestInput> {
  const source = file === "-" ? "standard input" : file;
  const content = file === "-" ? await text(stdin) : await readTextFile(file);
  try {
    const value: unknown = JSON.parse(content.replace(/^\ufeff/u, ""));
    return { source, title: titleOf(value), value, isTyped: false };
  } catch (cause) {
    throw new DecideError("invalid_request", `${source} ${whyNoJson(content, cause)}. ${expected}`, { status: 400, cause });
  }
}

/** Reads `--state`: the text itself, `@file`, or "-" for standard input. An empty standard input means that nothing was piped in. */
export async function readState({ stdin }: Io, state: string): Promise<string> {
  if (state !== "-") return state.startsWith("@") ? readTextFile(state.slice(1)) : state;
  const piped = await text(stdin);
  if (piped.trim() === "") throw new BadInput("There is nothing to judge: standard input is empty.");
  return piped;
}

function titleOf(value: unknown): string {
  const title = typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
  return typeof title === "string" ? title : "";
}
