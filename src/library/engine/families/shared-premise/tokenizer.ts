import type { Language } from "../../load-language.ts";
import { DecideError } from "../../../../errors.ts";
import { makeBertTokenizer } from "../../../tokenizer/bert-tokenizer.ts";
import type { BertTokenizer, Word } from "../../../tokenizer/bert-tokenizer.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/** A vocabulary of 120,000 words has 3 MB. */
const MAX_FILE_BYTES = 8_000_000;

/** The tokenizer of a pack. @throws {DecideError} `model_invalid` when it is of another kind. */
export async function readTokenizer({
  manifest,
  read,
}: Pick<ModelPack<SharedPremiseManifest>, "manifest" | "read">): Promise<BertTokenizer> {
  const { file } = manifest.tokenizer;
  const bytes = await read(file);
  try {
    if (bytes.length > MAX_FILE_BYTES) throw new Error("it is too large");
    return makeBertTokenizer(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new DecideError(
      "model_invalid",
      `${file} is not a tokenizer that this version of umpire reads: install the pack and umpire together.`,
      { cause },
    );
  }
}

/** A word in pieces of up to so many characters on average is unread. English words that are not in the vocabulary have longer ones. */
const MAX_PIECE = 3;
/** Fewer characters in unread words say nothing: names, products and remedies may be the whole text. Unless so many stand without a space: a key. */
const ENOUGH_CHARACTERS = 40;
const KEY = /\S{32}/u;
/** A word in another script has so many, whatever its length. */
const OTHER_SCRIPT = 8;

/**
 * Whether a model with this vocabulary cannot read a text: it is in another language, or a large part of it is of words that the model does not know, more
 * than half of them or four fifths of their characters, and it is not English. Only words with letters count. Those that also have digits count half, so
 * that a log line may have ids. A text of signs alone, such as emoji, is unread.
 */
export function isUnread(text: string, words: readonly Word[], { isEnglish, isForeign }: Language): boolean {
  if (words.length > 0 && words.every((word) => !/[\p{L}\p{N}]/u.test(word.text))) return true;
  return isForeign(text) || (isUnknown(words, KEY.test(text) ? 0 : ENOUGH_CHARACTERS) && !isEnglish(text));
}

function isUnknown(words: readonly Word[], enough: number): boolean {
  let [all, unread, characters, unreadCharacters] = [0, 0, 0, 0];
  for (const { text, pieces } of words) {
    if (!/\p{L}/u.test(text)) continue;
    const weight = /\d/.test(text) ? 0.5 : 1;
    const isOther = /(?!\p{sc=Latin})\p{L}/u.test(text);
    const length = isOther ? OTHER_SCRIPT : text.length;
    all += weight;
    characters += length;
    // Of single letters only "a" and "I" are words.
    if (isOther || (pieces > 1 ? length <= MAX_PIECE * pieces : /^[^ai]$/.test(text))) {
      unread += weight;
      unreadCharacters += length;
    }
  }
  return unreadCharacters >= enough && (unread > 0.5 * all || unreadCharacters > 0.8 * characters);
}
