import type { ParsedQuestion } from "../../../library/decide/request.ts";
import { isPlainObject } from "../../../library/validation/field.ts";
import type { ForeignRequest } from "../../wires/openai-decisions.ts";

/** An answer as teaching takes it: a choice's key, a noul's true or false, the index of a score's level. */
export type PlainAnswer = string | boolean | number;

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
  if (!(foreign ? Array.isArray(given) : isPlainObject(given))) return `no ${foreign ? "array" : "object"} of answers`;
  const all = new Map<string | number, unknown>(foreign ? (given as unknown[]).entries() : Object.entries(given as object));
  if (all.size !== sent.length) return `${all.size} answers to ${sent.length} questions`;
  const answers: UpstreamAnswer[] = [];
  for (const [i, one] of sent.entries()) {
    const json = all.get(foreign ? i : one.question.id);
    const read = isPlainObject(json) ? readAnswer(json, one, foreign) : "no object";
    if (typeof read === "string") return `answer ${i + 1} of ${sent.length} that has ${read}`;
    answers.push(read);
  }
  const tokens = (name: string): number => (isPlainObject(usage) && isCount(usage[name]) ? usage[name] : 0);
  return { json: value, answers, inputTokens: tokens("input_tokens"), outputTokens: tokens("output_tokens") };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** An answer as the spec of the hosted decision service has it, or as OpenAI's API gives it. */
function readAnswer(json: UpstreamAnswer["json"], sent: Sent, foreign: ForeignRequest | undefined): UpstreamAnswer | string {
  const { index, question } = sent;
  const { type, criteria } = question;
  const name = foreign?.names[index];
  if (typeof name === "string" && typeof json["name"] === "string" && json["name"] !== name) return "the name of another question";
  if (foreign && json["type"] === "refusal") return { json, plain: undefined };
  if (json["type"] !== (foreign && type === "noul" ? "predicate" : type)) return "another type";
  const indexOf = (value: unknown): number => {
    if (foreign && type === "score") return isCount(value) ? value : -1;
    return criteria.findIndex(({ key }) => (foreign ? foreign.wireValue(index, key) : key) === value);
  };
  const shares = sharesOf(json["probabilities"], criteria.length, indexOf);
  if (shares === undefined || !isShareOrNothing(json["confidence"])) return "other probabilities than its question's";
  switch (type) {
    case "noul": {
      const probability = json[foreign ? "probability" : "noul"];
      return isShare(probability) ? { json, plain: probability >= 0.5 } : "no probability";
    }
    case "score": {
      const level = levelOf(json["score"], shares, criteria.length);
      return level === undefined ? "a score that is not on the scale" : { json, plain: level };
    }
    case "choice": {
      const chosen = criteria[indexOf(json["choice"])];
      return chosen ? { json, plain: chosen.key } : "a choice that is none of the options";
    }
  }
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

/** The likeliest level; where no probabilities are given, the one that is nearest. Undefined for a score that is not on the scale. */
function levelOf(score: unknown, shares: readonly number[], count: number): number | undefined {
  if (typeof score !== "number" || !(score >= -1e-6 && score <= count - 1 + 1e-6)) return undefined;
  return shares.length > 0 ? shares.indexOf(Math.max(...shares)) : Math.min(count - 1, Math.max(0, Math.round(score)));
}

/** The one field of a request that is ours. */
export const MAX_ERROR_RATE = "x_max_error_rate";

/**
 * The body with some of its questions alone, and without fields of ours that the hosted API may refuse. All else is copied as it stands: numbers keep the digits that
 * JSON.parse would lose.
 * @param text a body that was checked
 * @param kept the ids of the questions to keep, or in an array their indexes
 */
export function withQuestions(text: string, kept: ReadonlySet<string | number>): string {
  const members = membersOf(text);
  const questions = members.findLast(({ key }) => key === "questions");
  const parts = members.flatMap((member) => {
    if (member.key === MAX_ERROR_RATE || (member.key === "questions" && member !== questions)) return [];
    return member === questions ? [`"questions":${partOf(member.value, kept)}`] : [member.text];
  });
  return `{${parts.join(",")}}`;
}

function partOf(questions: string, kept: ReadonlySet<string | number>): string {
  // Of two with the same key, the last one counts, as in JSON.parse.
  const last = new Map(membersOf(questions).map((member, i) => [member.key ?? i, member]));
  const parts = [...last].filter(([key]) => kept.has(key)).map(([, { text }]) => text);
  return questions.startsWith("[") ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

interface Member {
  /** Undefined in an array. */
  readonly key: string | undefined;
  readonly value: string;
  /** With its key. */
  readonly text: string;
}

/** The members of an object or an array. @param json valid, after blanks perhaps */
function membersOf(json: string): Member[] {
  const members: Member[] = [];
  const dividers = /["{}[\],:]/gu;
  let [depth, from, colon] = [0, 0, -1];
  for (let found = dividers.exec(json); found !== null; found = dividers.exec(json)) {
    const { 0: divider, index } = found;
    if (divider === '"') dividers.lastIndex = endOfString(json, index);
    if (divider === ":" && depth === 1) colon = index;
    if (divider === "}" || divider === "]") depth--;
    if (divider === "{" || divider === "[") depth++;
    if (depth === 1 && from === 0) from = index + 1;
    const isEnd = depth === 0 || (depth === 1 && divider === ",");
    const text = isEnd ? json.slice(from, index).trim() : "";
    if (text === "") continue;
    const key = colon < 0 ? undefined : (JSON.parse(json.slice(from, colon)) as string);
    members.push({ key, text, value: json.slice(Math.max(from, colon + 1), index).trim() });
    [from, colon] = [index + 1, -1];
  }
  return members;
}

function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end > 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}
