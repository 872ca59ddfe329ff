import { DecideError } from "../../errors.ts";
import type { Issue, IssueType } from "../../errors.ts";
import type { ByteShare } from "./byte-budget.ts";
import { sha256Hex } from "../../sha256.ts";
import { decoderOf } from "./content-encoding.ts";
import { Output, TooMuch } from "./decompressed.ts";

export interface Body {
  readonly value: unknown;
  /** Size of the JSON text. */
  readonly sizeBytes: number;
  /** SHA-256 of the bytes as they came, hexadecimal. */
  sha256(): Promise<string>;
}

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly nesting: number;
  readonly values: number;
}

/**
 * Reads a request's body as JSON. While it comes, its bytes are those of `share`.
 * @throws {DecideError} `invalid_request` (400 where it is no JSON in UTF-8, 415 for an encoding that is not known, 422 where it nests deeper than `nesting` or holds more than `values`),
 *   `input_too_long` (413) beyond `bodyBytes`, before or after it was decompressed; `overloaded` beyond the share.
 */
export async function readBody(request: Request, { bodyBytes, nesting, values }: BodyLimits, share: ByteShare): Promise<Body> {
  const decode = decoderOf(request.headers.get("content-encoding"));
  if (Number(request.headers.get("content-length") ?? 0) > bodyBytes) throw tooLarge(bodyBytes);
  const sent = await bytesOf(request, bodyBytes, share);
  const bytes = await decode(sent, bodyBytes);
  if (bytes === undefined) throw tooLarge(bodyBytes);
  const text = textOf(bytes);
  checkStructure(text, nesting, values);
  return { value: parse(text), sizeBytes: bytes.length, sha256: () => sha256Hex(sent) };
}

/** Bytes of a length that was told are read at once, which costs a server far less than a stream; others are counted as they come. */
async function bytesOf(request: Request, limitBytes: number, share: ByteShare): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const told = request.headers.get("content-length") ?? "";
    const isTold = /^\d+$/u.test(told);
    // A server that has been asked for the stream cuts the connection, and the reply with it, where it is not read. In service workers there may be none.
    const stream = isTold ? undefined : (request.body as Request["body"] | undefined);
    if (stream !== undefined) return await streamedBytesOf(stream, limitBytes, share);
    share.take(isTold ? Number(told) : limitBytes);
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > limitBytes) throw tooLarge(limitBytes);
    return bytes;
  } catch (cause) {
    if (DecideError.isInstance(cause)) throw cause;
    if (cause instanceof TooMuch) throw tooLarge(limitBytes);
    throw new DecideError("invalid_request", "The body broke off before its end: send it again.", { status: 400, cause });
  } finally {
    share.giveBack();
  }
}

async function streamedBytesOf(
  stream: ReadableStream<Uint8Array> | null,
  limitBytes: number,
  share: ByteShare,
): Promise<Uint8Array<ArrayBuffer>> {
  const output = new Output(limitBytes);
  // Leaving the loop cancels the stream: what is too large is not read to its end.
  for await (const chunk of stream ?? []) {
    output.add(chunk);
    share.take(chunk.length);
  }
  // A copy of just that size: it stays while the request waits.
  return output.bytes().slice();
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notJson("it is not encoded as UTF-8", bytes.length);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw notJson("it cannot be parsed", text.length);
  }
}

/** Before it is parsed: no reader of limited stack, and none that takes long over deep values, must meet it. */
function checkStructure(text: string, maxDepth: number, maxValues: number): void {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      if (++depth > maxDepth) throw refused(`nests arrays and objects deeper than ${maxDepth} levels`, "too_deep");
    } else if (character === COMMA) {
      if (++values > maxValues) throw refused(`holds more than ${maxValues} values`, "too_many");
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--;
  }
}

const [QUOTE, COMMA, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

function notJson(why: string, length: number): DecideError {
  const issues: Issue[] = [{ loc: ["body"], msg: `is no JSON: ${why}`, type: "not_json" }];
  const message = length === 0 ? "The request has no body: send a JSON object." : `The body is no JSON: ${why} (${length} long).`;
  return new DecideError("invalid_request", message, { status: 400, issues });
}

function refused(msg: string, type: IssueType): DecideError {
  return new DecideError("invalid_request", `The body ${msg}, the limit of this service.`, { issues: [{ loc: ["body"], msg, type }] });
}

function tooLarge(limitBytes: number): DecideError {
  const issues: Issue[] = [{ loc: ["body"], msg: `has more than ${limitBytes} bytes`, type: "too_long" }];
  const message = `The body has more than ${limitBytes} bytes, the limit of this service. Send less at once; nothing is ever cut in silence.`;
  return new DecideError("input_too_long", message, { issues });
}
