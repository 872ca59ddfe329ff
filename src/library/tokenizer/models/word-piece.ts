import { idOf, textOf } from "../part.ts";
import type { Part } from "../part.ts";
import { PieceTrie } from "../piece-trie.ts";
import type { Model } from "./model.ts";
import { checkLengths } from "./vocabulary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Longer words are unknown. What a word costs grows with this times the longest piece. */
const MAX_WORD_CHARACTERS = 1000;

/** BERT's word pieces: the longest piece first, then the longest of those that go on within a word. */
export function wordPiece(config: Part, vocabulary: Vocabulary): Model {
  const unknownId = vocabulary.ids.get(textOf(config["unk_token"], "the model's unk_token", 100));
  if (unknownId === undefined) throw new Error("its vocabulary lacks the unknown token");
  const prefix = textOf(config["continuing_subword_prefix"] ?? "##", "the model's continuing_subword_prefix", 10);
  const longest = Math.min(idOf(config["max_input_chars_per_word"] ?? 100, "the model's max_input_chars_per_word"), MAX_WORD_CHARACTERS);
  checkLengths(vocabulary);
  const pieces = new PieceTrie(vocabulary.ofTexts);
  const within = pieces.nodeOf(prefix);

  return {
    unknownId,
    encode(word, ids) {
      const before = ids.length;
      const isTooLong = word.length > longest && Array.from(word).length > longest;
      for (let start = 0; start < word.length; ) {
        let node = start === 0 ? pieces.root : within;
        let end = start;
        let id = -1;
        for (let at = start; at < word.length && node >= 0 && !isTooLong; at += 1) {
          node = pieces.next(node, word.charCodeAt(at));
          if (node < 0 || pieces.valueAt(node) < 0) continue;
          id = pieces.valueAt(node);
          end = at + 1;
        }
        if (id < 0) {
          // A word with one part that is unknown is unknown as a whole.
          ids.length = before;
          ids.push(unknownId);
          return;
        }
        ids.push(id);
        start = end;
      }
    },
  };
}
