import { flagOf, idOf, listOf, partOf, textOf } from "./part.ts";
import { MAX_PIECE_CHARACTERS } from "./piece-trie.ts";

const MAX_ADDED_TOKENS = 20_000;

/** A token that stands beside the model's vocabulary. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  /** It is looked for in the normalized text, not in the text as given. */
  readonly isNormalized: boolean;
  /** Text never becomes it. */
  readonly isSpecial: boolean;
  /** It must not touch a letter or a digit. */
  readonly isSingleWord: boolean;
  /** It takes the white space before it, or after it, with it. */
  readonly takesLeft: boolean;
  readonly takesRight: boolean;
}

/** @param marks tokens that a family places itself, such as "<<LABEL>>": special, whatever the file says */
export function addedTokensOf(value: unknown, marks: readonly string[]): readonly AddedToken[] {
  return listOf(value ?? [], "its added tokens", MAX_ADDED_TOKENS).map((entry) => {
    const what = "an added token";
    const part = partOf(entry, what);
    const content = textOf(part["content"], `${what}'s content`, MAX_PIECE_CHARACTERS);
    const isSpecial = flagOf(part["special"], `${what}'s special`, false);
    return {
      id: idOf(part["id"], `${what}'s id`),
      content,
      isNormalized: flagOf(part["normalized"], `${what}'s normalized`, !isSpecial),
      isSpecial: isSpecial || marks.includes(content),
      isSingleWord: flagOf(part["single_word"], `${what}'s single_word`, false),
      takesLeft: flagOf(part["lstrip"], `${what}'s lstrip`, false),
      takesRight: flagOf(part["rstrip"], `${what}'s rstrip`, false),
    };
  });
}
