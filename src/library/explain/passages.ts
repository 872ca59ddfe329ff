/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Divides a text into its sentences; if there are too many, into groups of them that are about equally long. Together they are the whole text. */
export function passagesOf(text: string, maxPassages: number): Range[] {
  const starts = sentencesOf(text);
  const grouped = starts.length > maxPassages ? starts.filter(startsGroup(starts, text.length, maxPassages)) : starts;
  return grouped.map((start, i) => ({ start, end: grouped[i + 1] ?? text.length }));
}

/** A sentence belongs to the group that its middle lies in. */
function startsGroup(starts: readonly number[], length: number, groups: number): (start: number, i: number) => boolean {
  const groupOf = (i: number): number => {
    const middle = ((starts[i] ?? 0) + (starts[i + 1] ?? length)) / 2;
    return Math.floor((middle / length) * groups);
  };
  return (_, i) => i === 0 || groupOf(i) !== groupOf(i - 1);
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

/** A place where a sentence may begin: what comes before it from the last sentence and the last such place on, and where the next one is. */
interface Candidate {
  readonly from: number;
  readonly before: number;
  readonly at: number;
  readonly next: number;
}

/** Whether a sentence really begins there: fragments join their neighbour. */
function isBorder(text: string, { from, before, at, next }: Candidate): boolean {
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
