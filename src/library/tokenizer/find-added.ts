import type { Normalize } from "./normalizers.ts";
import { PieceTrie } from "./piece-trie.ts";
import type { AddedToken } from "./added-tokens.ts";

/** A piece of a text: an added token, or text in between. */
export type Section = { readonly id: number } | { readonly text: string; readonly isStart: boolean };

/** Finds the added tokens of a text. */
export type FindAdded = (text: string, isStart: boolean) => readonly Section[];

const WORD_AT_END = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u;
const WORD_AT_START = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const SPACE = /\p{White_Space}/u;

/** Finds tokens in a text, as tokenizers does: the leftmost first, of those the longest. @param normalize of their contents */
export function findAdded(tokens: readonly AddedToken[], normalize: Normalize): FindAdded {
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
      const { index, end: after } = longestAt(contents, text, at);
      const token = found[index];
      if (token === undefined) {
        at += 1;
        continue;
      }
      let start = at;
      let end = after;
      at = after;
      if (
        token.isSingleWord &&
        (WORD_AT_END.test(text.slice(Math.max(0, start - 2), start)) || WORD_AT_START.test(text.slice(end, end + 2)))
      )
        continue;
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

function longestAt(contents: PieceTrie, text: string, start: number): { index: number; end: number } {
  let index = -1;
  let end = start;
  let node = contents.root;
  for (let at = start; at < text.length;) {
    node = contents.next(node, text.charCodeAt(at));
    if (node < 0) break;
    at += 1;
    if (contents.valueAt(node) < 0) continue;
    index = contents.valueAt(node);
    end = at;
  }
  return { index, end };
}
