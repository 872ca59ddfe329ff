import type { StateWarning } from "../engine.ts";
import { isForeign } from "../language.ts";
import type { Tokenize } from "../tokenize.ts";

/** From this share of unknown tokens on, a text is unread. A word without any known letter often has two tokens: a mark of its beginning, and the unknown one. */
const UNREAD_SHARE = 1 / 3;

/** Frequent words in five scripts. A vocabulary of many languages has most of them whole, any other spells them by letters or bytes. */
const MANY_LANGUAGES = "который также можно нельзя πρέπει επίσης 我们 可以 هذا كان नहीं है";
const AS_LETTERS = 0.45;
/** A vocabulary spells its own language in long pieces: in no more of them than this many times those of English. */
const ENGLISH = "The customer says that the parcel has not arrived yet, and would like to know where it is.";
const AT_HOME = 1.25;

/** What is known of a pack's tokenizer. */
interface Vocabulary {
  readonly tokenize: Tokenize;
  /** undefined where it can spell everything. */
  readonly unknownId: number | undefined;
}

/**
 * What is odd about a state.
 * @param ids its tokens: some tokenizers have some for white space
 */
export function stateWarnings(state: string, ids: readonly number[], vocabulary: Vocabulary): StateWarning[] {
  if (ids.length === 0 || state.trim() === "") return ["empty_state"];
  const isUnread = unknownShare(ids, vocabulary) >= UNREAD_SHARE || (isForeign(state) && !isHome(state, ids, vocabulary));
  return isUnread ? ["unread_text"] : [];
}

/** The share of tokens that stand for what the vocabulary cannot spell. */
function unknownShare(ids: readonly number[], { unknownId }: Pick<Vocabulary, "unknownId">): number {
  return unknownId === undefined ? 0 : ids.filter((id) => id === unknownId).length / ids.length;
}

/** Whether a vocabulary is made for the language of a state that is not English: models of other languages, or of many, can be added, and nothing says which. */
function isHome(state: string, ids: readonly number[], vocabulary: Vocabulary): boolean {
  const many = vocabulary.tokenize(MANY_LANGUAGES);
  if (unknownShare(many, vocabulary) === 0 && tokensPerLetter(MANY_LANGUAGES, many) <= AS_LETTERS) return true;
  if (unknownShare(ids, vocabulary) > 0) return false;
  return tokensPerLetter(state, ids) <= AT_HOME * tokensPerLetter(ENGLISH, vocabulary.tokenize(ENGLISH));
}

function tokensPerLetter(text: string, ids: readonly number[]): number {
  return ids.length / text.replace(/\s/gu, "").length;
}
