import { ENGLISH_WORDS, FOREIGN_WORDS, SHARED_WORDS, TRIGRAMS } from "./language-words.ts";

/** Evidence of a word for another language: negative for English. Fitted on texts of `bench/languages`. */
const FOREIGN_WORD = 1.6;
const ENGLISH_WORD = -2.6;
const SHARED_WORD = -0.7;
/** "it's", "I'll". */
const ENGLISH_ENDING = -1;
const OTHER_SCRIPT = 3;
const ACCENTED = 1.2;
const MUCH = 0.8;
const SOME = 0.4;
/** Letters alone never say more. */
const MAX_LETTERS = 1.5;

/**
 * A capital may begin a name, and names are of any language. Three capitals in a row are one, and a text with a capital at most words is made of them: an
 * address, a title.
 */
const NAME = 0.6;
const AMONG_NAMES = 0.2;
const TITLED = 0.6;
/** Of a small word inside a name: "Juan de la Cruz". */
const PARTICLE = 0.4;

/** Evidence that it takes to begin in another language, to change between it and English, and to end in it. */
const BEGIN = 1.5;
const CHANGE = 3;
const END = 1;

/** From this share of a text's letters on, what is in another language matters. */
const FOREIGN_SHARE = 0.4;
/** Where more is in English than this leaves, and in a list, two words must be sure signs: dishes have foreign names. */
const NEARLY_ALL = 0.9;
const SURE_SIGNS = 2;

/** Less of a dump's letters look like English. */
const ENGLISH_SHARE = 0.25;

/** Of a long text, parts are read: so many, of so many characters, evenly spaced. */
const PARTS = 8;
const PART_CHARACTERS = 1000;

const listed = (words: string): string[] => words.split(/\s+/u);
const trigrams = (text: string): string[] => text.match(/\S{3}/gu) ?? [];

const WORDS = new Map([
  ...listed(FOREIGN_WORDS).map((word) => [word, FOREIGN_WORD] as const),
  ...listed(ENGLISH_WORDS).map((word) => [word, ENGLISH_WORD] as const),
  ...listed(SHARED_WORDS).map((word) => [word, SHARED_WORD] as const),
]);
const LETTERS = new Map([
  ...trigrams(TRIGRAMS.muchMore).map((letters) => [letters, MUCH] as const),
  ...trigrams(TRIGRAMS.more).map((letters) => [letters, SOME] as const),
  ...trigrams(TRIGRAMS.less).map((letters) => [letters, -SOME] as const),
  ...trigrams(TRIGRAMS.muchLess).map((letters) => [letters, -MUCH] as const),
]);

/** A link, a path, a call: a sign between letters, as in `app.run(x)`. */
const CODE = /[\w)][./(=_@:\\]+\w/u;
const NOT_LATIN = /(?!\p{sc=Latin})\p{L}/u;
/** Of scripts without spaces, or with long words: a letter is worth more. */
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
const CAPITAL = /^\p{Lu}/u;
/** Most words, which need no closer look. */
const SMALL_LETTERS = /^[a-z]+$/;
const NAME_PARTICLE = /^(?:de|la|las|los|el|del|di|da|dos|das|der|den|von|van|zu|le|les|du|des|al|y)$/iu;
/** The same before a name alone: "rue de Paris". German ones stand before any noun. */
const PLACE_PARTICLE = /^(?:de|la|las|los|el|del|di|da|dos|le|les|du|des|al|van)$/iu;
/** Letters that have no form without their accent. */
const PLAIN: { readonly [letter: string]: string } = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae", œ: "oe" };

/** A word, and what it says. */
interface Evidence {
  readonly score: number;
  /** How much of the text it is. */
  readonly letters: number;
  /** Whether it says more than letters in a row can: a small word, an accent, another script. */
  readonly isSure: boolean;
}

/**
 * Whether a text, or so much of it that reading it matters, is in another language than English: two fifths of its letters or more. By the text alone, in
 * time that grows with its length, and of a long text by parts of it. Short texts are English unless they say something else.
 */
export function isForeign(text: string): boolean {
  const sample = sampleOf(text);
  const words = evidenceOf(sample);
  const foreign = foreignAmong(words);
  const share = lettersOf(foreign) / lettersOf(words);
  if (!(share >= FOREIGN_SHARE)) return false;
  if (share >= NEARLY_ALL && !isList(sample, words.length)) return true;
  return foreign.filter(({ isSure }) => isSure).length >= SURE_SIGNS;
}

/** Whether a text is English for the most part that can be told from codes: its words say so, and are a quarter of its letters or more. Short texts may be neither. */
export function isEnglish(text: string): boolean {
  const sample = sampleOf(text);
  const words = evidenceOf(sample);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const total = words.reduce((sum, { score }) => sum + score, 0);
  return total < 0 && lettersOf(words.filter(({ score }) => score < 0)) >= ENGLISH_SHARE * letters;
}

function sampleOf(text: string): string {
  if (text.length <= PARTS * PART_CHARACTERS) return text;
  const step = (text.length - PART_CHARACTERS) / (PARTS - 1);
  return Array.from({ length: PARTS }, (_, i) => text.slice(Math.floor(i * step), Math.floor(i * step) + PART_CHARACTERS)).join(" ");
}

/** Whether every second word is set off. */
function isList(text: string, words: number): boolean {
  return 2 * (text.match(/[,;|]/gu)?.length ?? 0) >= words;
}

function evidenceOf(text: string): Evidence[] {
  const chunks = text.split(/\s+/u).filter((chunk) => !CODE.test(chunk) || NOT_LATIN.test(chunk));
  const words = chunks.join(" ").match(WORD) ?? [];
  const isShouted = !words.some((word) => /\p{Ll}/u.test(word));
  const spelled = words.filter((word) => /^\p{L}/u.test(word));
  const isTitled = spelled.filter((word) => CAPITAL.test(word)).length > TITLED * spelled.length;
  const isCapital = (word: string | undefined): boolean => !isShouted && word !== undefined && CAPITAL.test(word);
  let isInName = false;
  return words.map((word, i): Evidence => {
    if (SMALL_LETTERS.test(word) && !NAME_PARTICLE.test(word)) {
      isInName = false;
      return smallLetters(word);
    }
    const isOfName = PLACE_PARTICLE.test(word) && isCapital(words[i + 1]);
    const isParticle = NAME_PARTICLE.test(word) && (isInName || isOfName || (isCapital(word) && i > 0));
    isInName = isCapital(word) || (isParticle && isInName);
    if (/\p{N}/u.test(word)) return { score: 0, letters: 0, isSure: false };
    if (NOT_LATIN.test(word)) return otherScript(word);
    // "US", "IT".
    if (!isShouted && /^\p{Lu}{2,3}$/u.test(word)) return { score: 0, letters: word.length, isSure: false };
    if (!isCapital(word)) return latin(word, isParticle ? PARTICLE : 1, 1);
    const isAmongNames = isTitled || [-2, -1, 0].some((first) => [0, 1, 2].every((n) => isCapital(words[i + first + n])));
    return latin(word, isParticle || isAmongNames ? PARTICLE : 1, isAmongNames ? AMONG_NAMES : NAME);
  });
}

function otherScript(word: string): Evidence {
  const isDense = DENSE.test(word);
  return {
    score: OTHER_SCRIPT * (isDense ? Math.max(1, word.length / 2) : 1),
    letters: (isDense ? 3 : 1) * word.length,
    isSure: true,
  };
}

/** As `latin` of a word that stands in no name. */
function smallLetters(word: string): Evidence {
  const known = WORDS.get(word);
  if (known !== undefined) return { score: known, letters: word.length, isSure: known === FOREIGN_WORD };
  return { score: withinLimits(lettersIn(word)), letters: word.length, isSure: false };
}

const withinLimits = (sum: number): number => Math.max(-MAX_LETTERS, Math.min(MAX_LETTERS, sum));

/** @param ofKnown what a small word is worth here, 0 to 1 @param ofLetters what any other is worth */
function latin(word: string, ofKnown: number, ofLetters: number): Evidence {
  const plain = plainOf(word);
  const known = WORDS.get(plain);
  if (known !== undefined) return { score: ofKnown * known, letters: word.length, isSure: ofKnown * known === FOREIGN_WORD };
  if (/'(?:s|t|re|ve|ll|d|m)$/u.test(plain)) return { score: ENGLISH_ENDING, letters: word.length, isSure: false };
  const sum = plain.split("'").reduce((total, part) => total + lettersIn(part), 0);
  const isAccented = /[^\p{ASCII}’]/u.test(word);
  const score = withinLimits(sum) + (isAccented ? ACCENTED : 0);
  return { score: ofLetters * score, letters: word.length, isSure: isAccented && ofLetters === 1 };
}

function plainOf(word: string): string {
  const letters = word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  return letters.replaceAll("’", "'").replace(/[łøđıßæœ]/gu, (letter) => PLAIN[letter] ?? letter);
}

function lettersIn(part: string): number {
  const whole = `_${part}_`;
  let sum = 0;
  for (let i = 0; i + 3 <= whole.length; i++) sum += LETTERS.get(whole.slice(i, i + 3)) ?? 0;
  return sum;
}

/** Those words that the likeliest course of languages has in another one than English: the best path of two states (Viterbi 1967). */
function foreignAmong(words: readonly Evidence[]): Evidence[] {
  let [english, foreign] = [0, -BEGIN];
  const steps = words.map(({ score }) => {
    const step = { toEnglish: foreign - CHANGE > english, toForeign: english - CHANGE > foreign };
    [english, foreign] = [Math.max(english, foreign - CHANGE), Math.max(foreign, english - CHANGE) + score];
    return step;
  });
  let isIn = foreign - END > english;
  const isForeignAt = words.map(() => false);
  for (let i = words.length - 1; i >= 0; i--) {
    isForeignAt[i] = isIn;
    const step = steps[i];
    if (isIn ? step?.toForeign : step?.toEnglish) isIn = !isIn;
  }
  return words.filter((_, i) => isForeignAt[i]);
}

function lettersOf(words: readonly Evidence[]): number {
  return words.reduce((sum, { letters }) => sum + letters, 0);
}
