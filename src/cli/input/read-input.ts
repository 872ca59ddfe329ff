import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { DecideError } from "../../errors.ts";
import { BadInput } from "../bad-input.ts";

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

/** Reads one request as JSON from a file, or from standard input for "-". */
export async function readRequest(file: string): Promise<RequestInput> {
  const source = file === "-" ? "standard input" : file;
  const content = file === "-" ? await text(process.stdin) : await readTextFile(file);
  try {
    const value: unknown = JSON.parse(content.replace(/^\ufeff/u, ""));
    return { source, title: titleOf(value), value, isTyped: false };
  } catch (cause) {
    const message = `${source} ${content.trim() === "" ? "is empty" : "is not valid JSON"}${placeIn(content, cause)}. A request is a JSON object with state and questions.`;
    throw new DecideError("invalid_request", message, { status: 400, cause });
  }
}

/** Reads `--state`: the text itself, `@file`, or "-" for standard input. An empty standard input means that nothing was piped in. */
export async function readState(state: string): Promise<string> {
  if (state !== "-") return state.startsWith("@") ? readTextFile(state.slice(1)) : state;
  const piped = await text(process.stdin);
  if (piped.trim() === "") throw new BadInput("There is nothing to judge: standard input is empty.");
  return piped;
}

async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : `the system reports ${code}`;
    throw new BadInput(`${file} cannot be read: ${why}.`, { cause });
  }
}

function titleOf(value: unknown): string {
  const title = typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
  return typeof title === "string" ? title : "";
}

/** The place of the parser's error, if its message has one. The rest of that message quotes the input, which may be long. */
function placeIn(content: string, cause: unknown): string {
  const [, position] = /position (\d+)/u.exec(String(cause)) ?? [];
  if (position === undefined || content.trim() === "") return "";
  const before = content.slice(0, Number(position)).split("\n");
  return `: the error is at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
