import { flagOf, idOf, listOf, partOf, textOf } from "./json-part.ts";
import { MAX_PIECE_CHARACTERS, PieceTrie } from "./vocabulary.ts";

const MAX_ADDED_TOKENS = 20_000;

/** A token that stands beside the model's vocabulary. */
interface AddedToken {
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

/** A piece of a text: an added token, or text in between. */
type Section = { readonly id: number } | { readonly text: string; readonly isStart: boolean };

const WORD_AT_END = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u;
const WORD_AT_START = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const SPACE = /\p{White_Space}/u;

/**
 * Finds added tokens in a text, as Rust does: the leftmost first, of those the longest.
 * Ours, since the library reads special tokens in any text: `hub-tokenizer.test.ts`, "reads text that spells a special token as text".
 * @param normalize of their contents
 */
export function findAdded(
  tokens: readonly AddedToken[],
  normalize: (text: string) => string,
): (text: string, isStart: boolean) => readonly Section[] {
  const byContent = new Map<string, AddedToken>();
  // Of tokens with the same content, the first is found.
  for (const token of tokens) {
    const content = normalize(token.content.toWellFormed());
    if (content !== "" && !byContent.has(content)) byContent.set(content, token);
  }
  if (byContent.size === 0) return (text, isStart) => (text === "" ? [] : [{ text, isStart }]);
  const found = [...byContent.values()];
  const contents = new PieceTrie(new Map([...byContent.keys()].map((content, index) => [content, index])));

  return (text, isStart) => {
    const sections: Section[] = [];
    let done = 0;
    for (let at = 0; at < text.length;) {
      const { value, end: after } = contents.longestAt(text, at);
      const token = found[value];
      if (token === undefined) {
        at += 1;
        continue;
      }
      let start = at;
      let end = after;
      at = after;
      if (token.isSingleWord && touchesWord(text, start, end)) continue;
      if (token.takesLeft) while (start > done && SPACE.test(text.charAt(start - 1))) start -= 1;
      if (token.takesRight) while (end < text.length && SPACE.test(text.charAt(end))) end += 1;
      if (done < start) sections.push({ text: text.slice(done, start), isStart: isStart && done === 0 });
      sections.push({ id: token.id });
      done = end;
    }
    if (done < text.length) sections.push({ text: text.slice(done), isStart: isStart && done === 0 });
    return sections;
  };
}

function touchesWord(text: string, start: number, end: number): boolean {
  return WORD_AT_END.test(text.slice(Math.max(0, start - 2), start)) || WORD_AT_START.test(text.slice(end, end + 2));
}
