import { DecideError, type Issue, type IssueType } from "../../errors.ts";
import { sha256Hex } from "../../library/sha256.ts";
import { Field, firstOf, isPlainObject } from "../../library/validation/field.ts";
import type { AllLimits } from "../handler/limits.ts";
import type { Reserve } from "./byte-budget.ts";
import { BoundedOutput, LimitExceeded, decoderOf, unreadableBody } from "./decompress.ts";

export interface Body {
  readonly value: unknown;
  /** Size of the JSON text, decompressed. */
  readonly sizeBytes: number;
  /** SHA-256 of the bytes that were sent, hexadecimal. */
  sha256(): Promise<string>;
  /** The JSON text, decompressed anew: it is not kept. */
  bytes(): Promise<Uint8Array>;
}

type BodyLimits = Pick<AllLimits, "bodyBytes" | "nesting" | "values">;

/** Hands over a body, chunk by chunk, as it comes in. Rejects if the body breaks off, and with what `onChunk` throws. */
export type BodyChunks = (onChunk: (chunk: Uint8Array) => void) => Promise<void>;

/** Decompresses and parses a body that has been received. Nothing else runs on the thread for as long as that takes. */
type ReadBody = () => Promise<Body>;

/**
 * Receives a request's body, and reserves its bytes before it holds them.
 * @param chunks the body, where the server has a cheaper way to it than the request's own
 * @returns what reads it as JSON.
 * @throws {DecideError} `invalid_request` for an unsupported encoding (415), or a body that breaks off (400); `input_too_long` (413) for more than
 *   `bodyBytes`; `overloaded` if it has to make room for other bodies. Reading it: `invalid_request` for what is not JSON in UTF-8 (400), nests too deep or holds too
 *   many values (422); `input_too_long` (413) for more than `bodyBytes` after decompression.
 */
export async function receiveBody(request: Request, limits: BodyLimits, reserve: Reserve, chunks?: BodyChunks): Promise<ReadBody> {
  const { bodyBytes } = limits;
  const decode = decoderOf(request.headers.get("content-encoding"));
  if (Number(request.headers.get("content-length") ?? 0) > bodyBytes) throw tooLarge(bodyBytes);
  const sent = await bytesOf(request, bodyBytes, reserve, chunks);
  const decoded = async (): Promise<Uint8Array> => {
    const bytes = await decode(sent, bodyBytes);
    if (bytes === undefined) throw tooLarge(bodyBytes);
    return bytes;
  };
  return async () => {
    const bytes = await decoded();
    return { value: readJson(bytes, limits), sizeBytes: bytes.length, sha256: () => sha256Hex(sent), bytes: decoded };
  };
}

async function bytesOf(request: Request, limitBytes: number, reserve: Reserve, chunks?: BodyChunks): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length") ?? "";
  const length = /^\d+$/u.test(announced) ? Number(announced) : undefined;
  try {
    // Asked for only when needed: if a server has handed out the stream and nobody reads it, the server closes the connection and the reply is lost.
    // Some service workers have no stream.
    const stream = chunks === undefined && length === undefined ? (request.body as Request["body"] | undefined) : undefined;
    if (chunks === undefined && stream === undefined) {
      // This costs a server far less than a stream.
      reserve(length ?? limitBytes);
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (bytes.length > limitBytes) throw tooLarge(limitBytes);
      return bytes;
    }
    const output = new BoundedOutput(limitBytes);
    const take = (chunk: Uint8Array): void => {
      reserve(chunk.length);
      output.add(chunk);
    };
    if (chunks !== undefined) await chunks(take);
    // Leaving the loop cancels the stream, so a body that is too large is not read to its end.
    else for await (const chunk of stream ?? []) take(chunk);
    return output.bytes();
  } catch (cause) {
    if (DecideError.isInstance(cause)) throw cause;
    if (cause instanceof LimitExceeded) throw tooLarge(limitBytes);
    throw unreadableBody("The body ended too early: send it again.", "ended too early", cause);
  }
}

function readJson(bytes: Uint8Array, limits: BodyLimits): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notJson("it is not encoded as UTF-8", bytes.length);
  }
  checkJsonLimits(text, limits);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw notJson("it cannot be parsed", text.length);
  }
}

function notJson(why: string, length: number): DecideError {
  if (length === 0) return unreadableBody("The request has no body: send a JSON object.", "is empty: send a JSON object");
  return unreadableBody(`The body is not JSON: ${why} (length ${length}).`, `is not JSON: ${why}`);
}

function tooLarge(limitBytes: number): DecideError {
  const issues: Issue[] = [{ loc: ["body"], msg: `has more than ${limitBytes} bytes`, type: "too_long" }];
  const message = `The body has more than ${limitBytes} bytes, the limit of this service. Nothing is ever cut, so send less at once.`;
  return new DecideError("input_too_long", message, { issues });
}

const [QUOTE, COMMA, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks the size of JSON before it is parsed: deep values can overflow the stack of code that reads them recursively, and many values take long to read.
 * Text that is not JSON passes; the parser refuses it.
 * @throws {DecideError} `invalid_request` naming the limit.
 */
export function checkJsonLimits(text: string, { nesting, values }: Pick<AllLimits, "nesting" | "values">): void {
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
      // A bracket that is not closed at once holds a value. (Closing brackets are two code units after those that open.)
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

/**
 * Counts before anything of a body is checked: checking costs far more than counting, and each thing that is wrong costs more still.
 * @param body any JSON value
 * @throws {DecideError} `invalid_request` naming each limit that the body exceeds, with its count.
 */
export function checkCounts(body: unknown, limits: Pick<AllLimits, "questions" | "criteria">): void {
  const questions = new Field(body, ["body"]).get("questions");
  const asked = isPlainObject(questions.value) ? Object.values(questions.value) : [];
  const criteria = asked.reduce<number>((sum, question) => sum + countCriteria(question), 0);
  checkAtMost(questions, asked.length, limits.questions, "questions");
  checkAtMost(questions, criteria, limits.criteria, "options and levels");
  const { issues } = questions;
  if (issues.length === 0) return;
  const first = firstOf(issues, () => "questions");
  throw new DecideError("invalid_request", `The request is too large for this service: ${first}. Split it into several requests.`, {
    issues,
  });
}

/** No question is read with less than two: a noul has both of its criteria, whichever it gives. */
function countCriteria(question: unknown): number {
  if (!isPlainObject(question)) return 0;
  const { criteria } = question;
  return Math.max(2, typeof criteria === "object" && criteria !== null ? Object.keys(criteria).length : 0);
}

function checkAtMost(field: Field, count: number, limit: number, what: string): void {
  if (count > limit) field.refuse(`must hold at most ${limit} ${what} in one request, but holds ${count}`, "too_many");
}
