import type { ParsedQuestion } from "../../library/decide/request.ts";
import { isPlainObject } from "../../library/validation/field.ts";
import type { ForeignRequest } from "../wires/openai-decisions.ts";

/** What teaching takes: a choice's key, a noul's true or false, the index of a score's level. */
export type PlainAnswer = string | boolean | number;

/** An answer of the hosted API. */
export interface UpstreamAnswer {
  /** As it came. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The answer that it commits to; undefined for a refusal, which is passed on and teaches nothing. */
  readonly plain: PlainAnswer | undefined;
}

/** A reply of the hosted API whose answers are all there. */
export interface UpstreamReply {
  /** As it came. */
  readonly json: Readonly<Record<string, unknown>>;
  /** In the order in which the questions were asked. */
  readonly answers: readonly UpstreamAnswer[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A question that was sent, and its index among the caller's. */
export interface Sent {
  readonly index: number;
  readonly question: ParsedQuestion;
}

/**
 * Reads a reply. What states an answer must be there and be one that the question allows; figures that are there must be finite. Other fields are not looked at.
 * @param foreign of a request of another wire
 * @returns a text where something is wrong: what, after "answered with", without any text of the reply.
 */
export function readReply(value: unknown, sent: readonly Sent[], foreign: ForeignRequest | undefined): UpstreamReply | string {
  if (!isPlainObject(value)) return "what is no JSON object";
  const { answers: given, usage } = value;
  const count = foreign ? (Array.isArray(given) ? given.length : -1) : isPlainObject(given) ? Object.keys(given).length : -1;
  if (count < 0) return `no ${foreign ? "array" : "object"} of answers`;
  if (count !== sent.length) return `${count} answers to ${sent.length} questions`;
  const answers: UpstreamAnswer[] = [];
  for (const [i, { index, question }] of sent.entries()) {
    const json = foreign ? (given as readonly unknown[])[i] : own(given as object, question.id);
    const read = isPlainObject(json) ? (foreign ? readForeign(json, index, question, foreign) : readOwn(json, question)) : "no object";
    if (typeof read === "string") return `answer ${i + 1} of ${sent.length} that has ${read}`;
    answers.push({ json: json as UpstreamAnswer["json"], plain: read.plain });
  }
  const tokens = (name: string): number => (isPlainObject(usage) && isCount(usage[name]) ? usage[name] : 0);
  return { json: value, answers, inputTokens: tokens("input_tokens"), outputTokens: tokens("output_tokens") };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function own(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined;
}

type Read = { readonly plain: PlainAnswer | undefined } | string;
type Json = Readonly<Record<string, unknown>>;

/** An answer as the spec of the hosted decision service has it. */
function readOwn(json: Json, { type, criteria }: ParsedQuestion): Read {
  if (json["type"] !== type) return "another type";
  const shares = sharesOf(json["probabilities"], criteria.length, (name) => criteria.findIndex(({ key }) => key === name));
  if (shares === undefined || !isShareOrNothing(json["confidence"])) return "other probabilities than its question's";
  if (type === "noul") return yesOrNo(json["noul"]);
  if (type === "score") return level(json["score"], shares, criteria.length);
  const { choice } = json;
  return typeof choice === "string" && criteria.some(({ key }) => key === choice)
    ? { plain: choice }
    : "a choice that is none of the options";
}

/** An answer as OpenAI's API gives it. */
function readForeign(json: Json, index: number, { type, criteria }: ParsedQuestion, foreign: ForeignRequest): Read {
  const name = foreign.names[index];
  if (typeof name === "string" && typeof json["name"] === "string" && json["name"] !== name) return "the name of another question";
  if (json["type"] === "refusal") return { plain: undefined };
  if (json["type"] !== (type === "noul" ? "predicate" : type)) return "another type";
  const keyed = (value: unknown): number =>
    type === "score" ? (isCount(value) ? value : -1) : criteria.findIndex(({ key }) => foreign.wireValue(index, key) === value);
  const shares = sharesOf(json["probabilities"], criteria.length, keyed);
  if (shares === undefined || !isShareOrNothing(json["confidence"])) return "other probabilities than its question's";
  if (type === "noul") return yesOrNo(json["probability"]);
  if (type === "score") return level(json["score"], shares, criteria.length);
  const chosen = criteria[keyed(json["choice"])];
  return chosen ? { plain: chosen.key } : "a choice that is none of the options";
}

/** A sum of probabilities may be a little more than 1. */
const isShare = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1 + 1e-6;
const isShareOrNothing = (value: unknown): boolean => value === undefined || value === null || isShare(value);

/**
 * Probabilities by criterion; none where there are none.
 * @returns undefined for what is none, and for those of other criteria
 */
function sharesOf(given: unknown, count: number, indexOf: (name: unknown) => number): readonly number[] | undefined {
  if (given === undefined || given === null) return [];
  const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(given)
    ? given.map((one: unknown) => (isPlainObject(one) ? [one["value"], one["probability"]] : [undefined, undefined]))
    : isPlainObject(given)
      ? Object.entries(given)
      : [[undefined, undefined]];
  const shares: number[] = [];
  for (const [name, share] of entries) {
    const index = indexOf(name);
    if (index < 0 || index >= count || shares[index] !== undefined || !isShare(share)) return undefined;
    shares[index] = share;
  }
  return entries.length === count ? shares : undefined;
}

function yesOrNo(probability: unknown): Read {
  return isShare(probability) ? { plain: probability >= 0.5 } : "no probability";
}

/** The likeliest level; where no probabilities are given, the one that is nearest. */
function level(score: unknown, shares: readonly number[], count: number): Read {
  if (typeof score !== "number" || !(score >= -1e-6 && score <= count - 1 + 1e-6)) return "a score that is not on the scale";
  return { plain: shares.length > 0 ? shares.indexOf(Math.max(...shares)) : Math.min(count - 1, Math.max(0, Math.round(score))) };
}

/**
 * The body with some of its questions alone, and without fields of ours that the hosted API may refuse. All else is copied as it stands: numbers keep the digits that
 * JSON.parse would lose.
 * @param text a body that was checked
 * @param kept the ids of the questions to keep, or in an array their indexes
 */
export function withQuestions(text: string, kept: ReadonlySet<string | number>): string {
  const members = membersOf(text, text.indexOf("{"));
  const questions = members.findLast(({ key }) => key === "questions");
  const parts = members.flatMap((member) => {
    if (member.key === MAX_ERROR_RATE || (member.key === "questions" && member !== questions)) return [];
    return member === questions ? [`"questions":${partOf(text, member.start, kept)}`] : [text.slice(member.from, member.end)];
  });
  return `{${parts.join(",")}}`;
}

/** The one field of a request that is ours. */
const MAX_ERROR_RATE = "x_max_error_rate";

function partOf(text: string, start: number, kept: ReadonlySet<string | number>): string {
  const members = membersOf(text, start);
  // Of two with the same key, the last one counts, as in JSON.parse.
  const last = new Map(members.map((member, i) => [member.key ?? i, member]));
  const parts = [...last].filter(([key]) => kept.has(key)).map(([, { from, end }]) => text.slice(from, end));
  return text[start] === "[" ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

interface Member {
  /** Undefined in an array. */
  readonly key: string | undefined;
  /** Where it begins, with its key. */
  readonly from: number;
  /** Where its value begins, and where it ends. */
  readonly start: number;
  readonly end: number;
}

/** The members of an object or an array in a text that is valid JSON. @param at the place of its first bracket */
function membersOf(text: string, at: number): Member[] {
  const members: Member[] = [];
  const isObject = text[at] === "{";
  for (let i = skipBlanks(text, at + 1); text[i] !== "}" && text[i] !== "]"; i = skipBlanks(text, i + (text[i] === "," ? 1 : 0))) {
    if (text[i] === undefined) throw new TypeError("the text is not JSON");
    const from = i;
    let key: string | undefined;
    if (isObject) {
      const endOfKey = endOfString(text, i);
      key = JSON.parse(text.slice(i, endOfKey)) as string;
      // After the colon.
      i = skipBlanks(text, skipBlanks(text, endOfKey) + 1);
    }
    const start = i;
    i = endOfValue(text, i);
    members.push({ key, from, start, end: i });
    i = skipBlanks(text, i);
  }
  return members;
}

function skipBlanks(text: string, at: number): number {
  let i = at;
  while (text[i] === " " || text[i] === "\n" || text[i] === "\r" || text[i] === "\t") i++;
  return i;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw new TypeError("the text is not JSON");
}

function endOfValue(text: string, start: number): number {
  let [i, depth] = [start, 0];
  do {
    const character = text[i];
    if (character === undefined) throw new TypeError("the text is not JSON");
    if (character === '"') {
      i = endOfString(text, i);
      continue;
    }
    if (character === "{" || character === "[") depth++;
    if (character === "}" || character === "]") depth--;
    i++;
    // A number or a word ends before what follows it.
    if (depth === 0 && !"{}[]".includes(character)) while (!" \n\r\t,}]".includes(text[i] ?? ",")) i++;
  } while (depth > 0);
  return i;
}
