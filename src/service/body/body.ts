import { DecideError } from "../../errors.ts";
import type { Issue } from "../../errors.ts";
import { sha256Hex } from "../../library/sha256.ts";
import { BoundedOutput, LimitExceeded } from "./bounded-output.ts";
import type { Reserve } from "./byte-budget.ts";
import { decoderOf } from "./content-encoding.ts";
import { checkJsonLimits } from "./json-limits.ts";
import type { JsonLimits } from "./json-limits.ts";
import { unreadableBody } from "./unreadable.ts";

export interface Body {
  readonly value: unknown;
  /** Size of the JSON text, decompressed. */
  readonly sizeBytes: number;
  /** SHA-256 of the bytes that were sent, hexadecimal. */
  sha256(): Promise<string>;
}

export interface BodyLimits extends JsonLimits {
  readonly bodyBytes: number;
}

/** Hands over a body, chunk by chunk, as it comes in. Rejects if the body breaks off, and with what `onChunk` throws. */
export type BodyChunks = (onChunk: (chunk: Uint8Array) => void) => Promise<void>;

/** The memory of an upload that has hardly begun. A slow client can hold many of those. */
const INITIAL_BYTES = 1024;

/** Decompresses and parses a body that has been received. Nothing else runs on the thread for as long as that takes. */
export type ReadBody = () => Promise<Body>;

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
  return async () => {
    const bytes = await decode(sent, bodyBytes);
    if (bytes === undefined) throw tooLarge(bodyBytes);
    const text = textOf(bytes);
    checkJsonLimits(text, limits);
    return { value: parse(text), sizeBytes: bytes.length, sha256: () => sha256Hex(sent) };
  };
}

async function bytesOf(request: Request, limitBytes: number, reserve: Reserve, chunks?: BodyChunks): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const source = chunks ?? chunksOf(request);
    return await (source === undefined ? readAtOnce(request, limitBytes, reserve) : collect(source, limitBytes, reserve));
  } catch (cause) {
    if (DecideError.isInstance(cause)) throw cause;
    if (cause instanceof LimitExceeded) throw tooLarge(limitBytes);
    throw unreadableBody("The body ended too early: send it again.", "ended too early", cause);
  }
}

/** A body of unknown length; undefined for any other, because reading it at once costs a server far less than a stream. */
function chunksOf(request: Request): BodyChunks | undefined {
  if (lengthOf(request) !== undefined) return undefined;
  // Asked for only when needed: if a server has handed out the stream and nobody reads it, the server closes the connection and the reply is lost.
  // Some service workers have no stream.
  const stream = request.body as Request["body"] | undefined;
  if (stream === undefined) return undefined;
  return async (onChunk) => {
    // Leaving the loop cancels the stream, so a body that is too large is not read to its end.
    for await (const chunk of stream ?? []) onChunk(chunk);
  };
}

function lengthOf({ headers }: Request): number | undefined {
  const length = headers.get("content-length") ?? "";
  return /^\d+$/u.test(length) ? Number(length) : undefined;
}

async function readAtOnce(request: Request, limitBytes: number, reserve: Reserve): Promise<Uint8Array<ArrayBuffer>> {
  reserve(lengthOf(request) ?? limitBytes);
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > limitBytes) throw tooLarge(limitBytes);
  return bytes;
}

async function collect(chunks: BodyChunks, limitBytes: number, reserve: Reserve): Promise<Uint8Array<ArrayBuffer>> {
  const output = new BoundedOutput(limitBytes, INITIAL_BYTES);
  await chunks((chunk) => {
    reserve(chunk.length);
    output.add(chunk);
  });
  // A copy without spare room: the bytes stay in memory while the request waits.
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

function notJson(why: string, length: number): DecideError {
  if (length === 0) return unreadableBody("The request has no body: send a JSON object.", "is empty: send a JSON object");
  return unreadableBody(`The body is not JSON: ${why} (length ${length}).`, `is not JSON: ${why}`);
}

function tooLarge(limitBytes: number): DecideError {
  const issues: Issue[] = [{ loc: ["body"], msg: `has more than ${limitBytes} bytes`, type: "too_long" }];
  const message = `The body has more than ${limitBytes} bytes, the limit of this service. Nothing is ever cut, so send less at once.`;
  return new DecideError("input_too_long", message, { issues });
}
