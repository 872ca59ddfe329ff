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
/** Fewer characters in unread words say nothing, since one rare name may be the whole text; unless there are so many small foreign words. */
const ENOUGH_CHARACTERS = 20;
const ENOUGH_FOREIGN = 2;
/** A word in another script has so many, whatever its length: three of them are enough. */
const OTHER_SCRIPT = 8;

/** Small words of German, French, Spanish, Italian, Portuguese and Dutch that the vocabulary has, without those that English has, too. */
const FOREIGN =
  /^(der|das|und|ist|ich|nicht|ein|eine|mein|meine|mit|von|zu|auf|sie|wir|es|je|le|la|les|des|et|est|un|une|pas|que|qui|dans|vous|nous|mon|du|el|los|las|en|por|mi|una|como|su|del|il|di|che|sono|os|um|uma|nao|meu|het|een|niet|ik|mijn|voor)$/;

/**
 * Whether a large part of a text is of words that the model does not know: more than half of its words, or four fifths of their characters.
 * Only words with letters count. Those that also have digits count half, so that a log line may have ids. A text of signs alone, such as emoji, is unread.
 */
export function isUnread(words: readonly Word[]): boolean {
  let [all, unread, characters, unreadCharacters, foreign] = [0, 0, 0, 0, 0];
  for (const { text, pieces } of words) {
    if (!/\p{L}/u.test(text)) continue;
    const weight = /\d/.test(text) ? 0.5 : 1;
    const isOther = /(?!\p{sc=Latin})\p{L}/u.test(text);
    const length = isOther ? OTHER_SCRIPT : text.length;
    const isForeign = FOREIGN.test(text);
    foreign += Number(isForeign);
    all += weight;
    characters += length;
    // Of single letters only "a" and "I" are words.
    if (isOther || (pieces > 1 ? length <= MAX_PIECE * pieces : /^[^ai]$/.test(text) || isForeign)) {
      unread += weight;
      unreadCharacters += length;
    }
  }
  if (words.length > 0 && words.every(({ text }) => !/[\p{L}\p{N}]/u.test(text))) return true;
  return (
    (unreadCharacters >= ENOUGH_CHARACTERS || foreign >= ENOUGH_FOREIGN) && (unread > 0.5 * all || unreadCharacters > 0.8 * characters)
  );
}
