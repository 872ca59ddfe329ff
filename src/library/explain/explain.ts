import { DecideError } from "../../errors.ts";
import type { Decide } from "../decide/decide.ts";
import { plainQuestion, sharesOf } from "../decide/questions/question-kinds.ts";
import { parseRequest, type ParsedQuestion } from "../decide/request.ts";
import type { Answer } from "../decide/types.ts";
import { logOf } from "../statistics/softmax.ts";
import { elementAt, present } from "../validation/expect.ts";
import { AN_ABORT_SIGNAL, checkCallOptions, Field, isNear, isPlain, refuseName, wholeNumber, type RulesOf } from "../validation/field.ts";

export interface ExplainOptions {
  /** Ends the call: it rejects with `signal.reason`. Example: `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal | undefined;
  /** How many passages the state is divided into at most, 1 to 1,000. Each is one more reading of the state. Default: 32. */
  readonly maxPassages?: number | undefined;
}

/** A sentence or a line of the state; of a long state, several. */
export interface Passage {
  /** Where it begins in `text`, in UTF-16 code units, as for `text.slice(start, end)`. */
  readonly start: number;
  /** Where it ends; the white space after it is part of it. */
  readonly end: number;
  /**
   * `logOdds` minus the log-odds of the same answer with this passage left out. Above 0: the passage speaks for the answer; below 0: against it. Example:
   * 0.69, ln 2: with the passage the odds are twice as high.
   */
  readonly change: number;
}

/** Why a question was answered as it was. */
export interface Explanation {
  /** The answer, as `decide` gives it. */
  readonly answer: Answer;
  /** The part of the answer that is explained: of a choice the chosen option; of a noul "true" from 0.5 on, else "false"; of a score the likeliest level, "0" to "n-1". */
  readonly key: string;
  /** ln(p / (1 - p)) for the probability p of `key`, with the whole state read; -27.7 to 27.7. */
  readonly logOdds: number;
  /** The state as the model reads it: a string as it was given, an object or array as text. */
  readonly text: string;
  /** Together they are all of `text`, none overlaps another. The largest change comes first; on a tie, the earlier passage. Empty if the state is. */
  readonly passages: readonly Passage[];
  /** How often the state was read: once as a whole, and once without each passage. */
  readonly readings: number;
}

const DEFAULT_PASSAGES = 32;

const RULES: RulesOf<ExplainOptions> = { signal: AN_ABORT_SIGNAL, maxPassages: wholeNumber(1, 1000) };

/** Readings under way at one time: while the model works on one, the next is prepared. */
const MAX_UNDER_WAY = 2;
const MAX_IDS_SHOWN = 8;

/**
 * Says which passages of the state made the answer to one question: how much the answer's log-odds change with each of them left out. (Occlusion: Zeiler and
 * Fergus 2014, "Visualizing and Understanding Convolutional Networks"; of text: Li, Monroe and Jurafsky 2016, "Understanding Neural Networks through
 * Representation Erasure".) Passages are sentences and lines. A state with more than `maxPassages` of them is divided into so many groups of about equal
 * length. The cost: the state is read once, and once more for each passage; no other question is asked.
 * @param questionId the question of the request that is explained
 * @throws {DecideError} `invalid_request`; what `decide` throws.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function explain(decide: Decide, request: unknown, questionId: string, options: ExplainOptions = {}): Promise<Explanation> {
  checkCallOptions(options, RULES);
  const { signal, maxPassages = DEFAULT_PASSAGES } = options;
  signal?.throwIfAborted();
  const { model, state: text, questions } = parseRequest(request);
  const question = questionCalled(questionId, questions);
  // Whatever becomes of the caller's object, all readings ask the same.
  const asked = { [question.id]: plainQuestion(question) };
  const read = async (state: string): Promise<Answer> => {
    signal?.throwIfAborted();
    const { answers } = await decide({ model, state, questions: asked }, { signal });
    return present(answers[question.id], "answer");
  };

  const answer = await read(text);
  const key = likeliestKey(answer);
  const logOdds = logOddsOf(answer, key);
  // Only now: a text that is too long for the model has been refused.
  const ranges = passagesOf(text, maxPassages);
  const without = await mapped(ranges, async ({ start, end }) => logOddsOf(await read(text.slice(0, start) + text.slice(end)), key));
  const passages = ranges.map((range, i) => ({ ...range, change: logOdds - elementAt(without, i, "log-odds") }));
  return { answer, key, logOdds, text, passages: passages.sort((a, b) => b.change - a.change), readings: 1 + ranges.length };
}

/** @throws {DecideError} `invalid_request`, naming the questions there are. */
function questionCalled(id: unknown, questions: readonly ParsedQuestion[]): ParsedQuestion {
  const question = questions.find((asked) => asked.id === id);
  if (question !== undefined) return question;
  // Other ids may be a person's words.
  const shown = questions.map((asked) => asked.id).filter(isPlain);
  const some = shown.slice(0, MAX_IDS_SHOWN).map((other) => `"${other}"`);
  const words = `the id of a question of the request${some.length > 0 ? `, such as ${some.join(", ")}` : ""}`;
  const field = new Field(id, ["questionId"]);
  const meant = shown.find((other) => typeof id === "string" && isNear(id, other));
  if (typeof id === "string") refuseName(field, words, meant);
  else field.refuseType(words);
  throw new DecideError("invalid_request", `questionId ${elementAt(field.issues, 0, "issue").msg}.`, { issues: field.issues });
}

/** The results of a task for each item, in order, a few at a time. After the first failure none is begun any more. */
async function mapped<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let isFailed = false;
  const work = async (): Promise<void> => {
    for (const [i, item] of waiting) {
      if (isFailed) return;
      try {
        results[i] = await task(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_UNDER_WAY }, work));
  return results;
}

/** The likeliest part of an answer, by its key: of a noul "true" or "false". On a tie, the first. */
export function likeliestKey(answer: Answer): string {
  return Object.entries(sharesOf(answer)).reduce((best, share) => (share[1] > best[1] ? share : best))[0];
}

/** ln(p / (1 - p)) for the probability p of a key. */
export function logOddsOf(answer: Answer, key: string): number {
  const shares = Object.entries(sharesOf(answer));
  // The sum of the others is exact where p is nearly 1. It is taken in ascending order, so that the order of the criteria cannot change a bit of it.
  const others = shares.flatMap(([other, share]) => (other === key ? [] : [share]));
  const sum = others.sort((a, b) => a - b).reduce((a, b) => a + b, 0);
  const own = shares.find(([other]) => other === key)?.[1] ?? 0;
  return logOf(own) - logOf(sum);
}

/** Divides a text into its sentences; if there are too many, into groups of them that are about equally long. Together they are the whole text. */
export function passagesOf(text: string, maxPassages: number): Pick<Passage, "start" | "end">[] {
  const starts = sentencesOf(text);
  // A sentence belongs to the group that its middle lies in.
  const groupOf = (i: number): number => {
    const middle = ((starts[i] ?? 0) + (starts[i + 1] ?? text.length)) / 2;
    return Math.floor((middle / text.length) * maxPassages);
  };
  const grouped = starts.length > maxPassages ? starts.filter((_, i) => i === 0 || groupOf(i) !== groupOf(i - 1)) : starts;
  return grouped.map((start, i) => ({ start, end: grouped[i + 1] ?? text.length }));
}

/** The rules of Unicode Standard Annex #29. They know all scripts, but neither abbreviations nor people who write in small letters. */
const UNICODE_SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/** The segmenter's time grows with the square of what it is given. In UTF-16 code units. */
const MAX_STRETCH = 2000;
/** A longer sentence, or a text without sentence marks, is cut into pieces. */
const MAX_SENTENCE = 400;
/** A piece with fewer letters and digits says nothing alone: "Dr.", "1.", "No.". */
const MIN_LETTERS = 4;

const LINE = /[^\n\r]*(?:\r\n?|\n)|[^\n\r]+/gu;
const LINE_END = /[\n\r\u2028\u2029]/u;
/** A full stop where a small letter follows. Unicode's rules see no end of a sentence there. */
const STOP = /\p{L}{3}\.\s+(?=\p{Ll})/gu;
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])(?:mrs?|ms|dr|prof|st|nos?|nr|vs|cf|ca|approx|incl|etc|fig|max|min|tel|e\.g|i\.e|\p{L})\.\s*$/iu;
const LETTER = /[\p{L}\p{N}]/gu;
const HAS_LETTERS = /[\p{L}\p{N}]/u;
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*\s*$/u;
/** The next line of a sentence; not a field such as `name: Ada`. */
const GOES_ON = /^\p{Ll}(?![^:.]{0,40}: )/u;
/** The word before a place where a sentence may be cut. */
const WORD_AT_END = /[^\s，、；]*$/u;

/** Where the sentences and lines of a text begin, ascending from 0; nothing for an empty text. White space belongs to the sentence before it. */
export function sentencesOf(text: string): number[] {
  const starts: number[] = [];
  const candidates = [...candidatesOf(text), text.length];
  for (let i = 0; i + 1 < candidates.length; i++) {
    const [before = 0, at = 0, next = 0] = candidates.slice(Math.max(i - 1, 0), i + 2);
    if (i === 0) starts.push(0);
    else if (isBorder(text, { from: starts.at(-1) ?? 0, before, at, next })) starts.push(at);
  }
  return starts.flatMap((start, i) => [...piecesOf(text, start, starts[i + 1] ?? text.length)]);
}

/** Where a sentence may begin. No white space is skipped twice: there may be millions of it. */
function* candidatesOf(text: string): Generator<number> {
  let last = -1;
  let reached = 0;
  for (const { index, 0: line } of text.matchAll(LINE)) {
    for (const found of HAS_LETTERS.test(line) ? sentencesInLine(line) : [0]) {
      const start = index + found;
      reached = start === 0 ? 0 : afterSpace(text, Math.max(start, reached));
      if (reached > last && reached < text.length) yield (last = reached);
    }
  }
}

function afterSpace(text: string, at: number): number {
  let end = at;
  while (/\s/u.test(text.charAt(end))) end++;
  return end;
}

function* sentencesInLine(line: string): Generator<number> {
  for (let from = 0; from < line.length;) {
    const stretch = line.slice(from, from + MAX_STRETCH);
    const found = Array.from(UNICODE_SENTENCES.segment(stretch), ({ index }) => index);
    const isLast = from + stretch.length === line.length;
    // The last sentence of a stretch may go on behind it, and is read again with what follows.
    const used = isLast ? stretch.length : found.length > 1 ? (found.pop() ?? 0) : wholeCharacters(stretch);
    const stops = Array.from(stretch.slice(0, used).matchAll(STOP), ({ index, 0: stop }) => index + stop.length);
    for (const start of [...new Set([...found, ...stops])].sort((a, b) => a - b)) yield from + start;
    from += used;
  }
}

/** The length of a stretch without the first half of a surrogate pair at its end. */
function wholeCharacters(stretch: string): number {
  return /[\ud800-\udbff]$/.test(stretch) ? stretch.length - 1 : stretch.length;
}

/**
 * Whether a sentence really begins at a place: fragments join their neighbour.
 * @param from where the last sentence began; `before` and `next` are the places beside this one where one may begin
 */
function isBorder(text: string, { from, before, at, next }: Readonly<Record<"from" | "before" | "at" | "next", number>>): boolean {
  const ended = text.slice(before, at);
  const begun = text.slice(at, next);
  if (!HAS_LETTERS.test(begun)) return false;
  if (LINE_END.test(ended.slice(ended.trimEnd().length))) return SENTENCE_END.test(ended) || !GOES_ON.test(begun);
  const endsLine = next === text.length || LINE_END.test(begun.slice(begun.trimEnd().length));
  const isFragment = lettersIn(text.slice(from, at)) < MIN_LETTERS || (endsLine && lettersIn(begun) < MIN_LETTERS);
  return !isFragment && !ABBREVIATION.test(ended);
}

/** Up to `MIN_LETTERS`; further ones are not counted. */
function lettersIn(part: string): number {
  let count = 0;
  LETTER.lastIndex = 0;
  while (count < MIN_LETTERS && LETTER.test(part)) count++;
  return count;
}

/** Where the pieces of a long sentence begin: of about equal length, between words where there are any. */
function* piecesOf(text: string, start: number, end: number): Generator<number> {
  const length = Math.ceil((end - start) / Math.ceil((end - start) / MAX_SENTENCE));
  for (let from = start; from < end;) {
    yield from;
    const piece = text.slice(from, from + length);
    const word = piece.search(WORD_AT_END);
    from += from + length >= end || word === piece.length ? piece.length : word > length / 2 ? word : wholeCharacters(piece);
    from = Math.min(afterSpace(text, from), end);
  }
}
