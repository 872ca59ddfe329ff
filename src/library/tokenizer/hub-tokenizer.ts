import { bpe, unigram } from "./sub-words.ts";
import { idOf, listOf, partOf, partsOf, textOf, unsupported, flagOf, type Part } from "./json-part.ts";
import { normalizerOf } from "./normalizers.ts";
import { preTokenizerOf } from "./pre-tokenizers.ts";
import { longestOf, unknownIdOf, vocabularyOf, MAX_PIECE_CHARACTERS, PieceTrie, type Model, type Vocabulary } from "./vocabulary.ts";
import { wordPiece } from "./bert-tokenizer.ts";

/** A token that a tokenizer puts around texts, with its token type. */
export interface SpecialToken {
  readonly id: number;
  readonly type: number;
}

interface PairTemplate {
  readonly before: readonly SpecialToken[];
  readonly between: readonly SpecialToken[];
  readonly after: readonly SpecialToken[];
  /** Token types of the two texts. */
  readonly premiseType: number;
  readonly hypothesisType: number;
}

/** A tokenizer.json of a hub, as the engine uses it. */
export interface HubTokenizer {
  /** Token ids, without special tokens. Text that spells a special token is text: it never gives a special token's id. */
  readonly tokenize: (text: string) => readonly number[];
  readonly pair: PairTemplate;
  readonly padId: number;
  /** Of text that the vocabulary cannot spell; undefined where there is none (byte-level, byte fallback). */
  readonly unknownId: number | undefined;
  /** The id of a special token such as "<<LABEL>>"; undefined for one that text may become, or that there is not. */
  readonly idOf: (token: string) => number | undefined;
}

/**
 * A tokenizer from the content of a tokenizer.json, which may come from a stranger.
 *
 * It reads what NLI cross-encoders have: WordPiece, BPE (byte-level, or with byte fallback) and Unigram, with the normalizers and pre-tokenizers
 * that go with them, and gives the ids that the Rust library tokenizers gives, with these differences:
 * - Special tokens are never read from text, nor is any other text of their ids. Special is what the file marks so, what its post-processor places, the
 *   unknown and the padding token, and `marks`.
 * - A lone surrogate, which has no UTF-8 form, is read as the replacement character.
 * - Unicode grows: outside of BERT's normalizer and words, this machine may know letters and marks of the last years that Rust does not, and the other way round.
 * - A normalizer that removes what a text begins with does not keep Metaspace's "first" from prepending.
 *
 * Time and memory grow with the length of a text and the size of the file, whatever is in them.
 *
 * @param marks tokens that the family places itself, such as "<<LABEL>>": they count as special, whatever the file says
 * @throws {Error} naming what is not supported, or what does not fit together
 */
export function makeHubTokenizer(tokenizerJson: unknown, marks: readonly string[] = []): HubTokenizer {
  const json = partOf(tokenizerJson, "it");
  const added = addedTokensOf(json["added_tokens"], [...marks, ...PAD_TOKENS]);
  const normalize = normalizerOf(json["normalizer"]);
  const cut = preTokenizerOf(json["pre_tokenizer"]);
  const pair = pairTemplateOf(json["post_processor"]);
  const placed = new Set([...pair.before, ...pair.between, ...pair.after].map(({ id }) => id));
  const special = added.filter(({ id, isSpecial }) => isSpecial || placed.has(id));
  const reserved = new Set([...placed, ...special.map(({ id }) => id)]);
  const names = new Set([...PAD_TOKENS, ...special.map(({ content }) => content)]);
  const { model, ids } = modelOf(partOf(json["model"], "its model"), (piece, id) => names.has(piece) || reserved.has(id));
  const ofText = added.filter(({ id }) => !reserved.has(id));
  const [raw, normalized] = [false, true].map((is) => ofText.filter(({ isNormalized }) => isNormalized === is));
  const findRaw = findAdded(raw ?? [], (text) => text);
  const findNormalized = findAdded(normalized ?? [], normalize);
  const specialIds = new Map(special.map(({ content, id }) => [content, id]));

  return {
    tokenize(text) {
      const found: number[] = [];
      for (const section of findRaw(text.toWellFormed(), true)) {
        if ("id" in section) found.push(section.id);
        else
          for (const part of findNormalized(normalize(section.text), section.isStart)) {
            if ("id" in part) found.push(part.id);
            else for (const piece of cut(part.text, part.isStart)) if (piece !== "") model.encode(piece, found);
          }
      }
      return found;
    },
    pair,
    padId: padIdOf(json["padding"], specialIds, ids),
    unknownId: model.unknownId,
    idOf: (token) => specialIds.get(token),
  };
}

const MAX_PIECES = 1_000_000;
const MAX_PARTS = 20;

function modelOf(
  part: Part,
  isSpecial: (piece: string, id: number) => boolean,
): { readonly model: Model; readonly ids: ReadonlyMap<string, number> } {
  const unknown = part["unk_token"];
  const type = part["type"];
  if (type === "Unigram") return unigram(part, isSpecial);
  if (type !== "WordPiece" && type !== "BPE") throw unsupported("model", type);
  const entries = Object.entries(partOf(part["vocab"], "its model's vocab"));
  if (entries.length > MAX_PIECES) throw new Error(`its model's vocab has more than ${MAX_PIECES} pieces`);
  const ids = new Map(entries.map(([piece, id]) => [piece, idOf(id, "an id of its model's vocab")]));
  const vocabulary = vocabularyOf(ids, (piece, id) => piece === unknown || isSpecial(piece, id));
  return { model: type === "WordPiece" ? wordPieceModel(part, vocabulary) : bpe(part, vocabulary), ids };
}

/** Longer words are unknown, and no text has longer pieces. What a letter costs grows with the square of a piece. */
const MAX_WORD_CHARACTERS = 1000;
const MAX_WORD_PIECE_CHARACTERS = 100;

function wordPieceModel(part: Part, vocabulary: Vocabulary): Model {
  const unknownId = unknownIdOf(part["unk_token"], vocabulary);
  const longest = longestOf(vocabulary, MAX_WORD_PIECE_CHARACTERS);
  const maxWordCharacters = idOf(part["max_input_chars_per_word"] ?? 100, "the model's max_input_chars_per_word");
  const prefix = textOf(part["continuing_subword_prefix"] ?? "##", "the model's continuing_subword_prefix", 10);
  const idsOf = wordPiece(
    (piece) => vocabulary.ofTexts.get(piece),
    () => longest,
    prefix,
    Math.min(maxWordCharacters, MAX_WORD_CHARACTERS),
  );
  return {
    unknownId,
    encode(word, ids) {
      for (const id of idsOf(word) ?? [unknownId]) ids.push(id);
    },
  };
}

const PAD_TOKENS = ["[PAD]", "<pad>", "<|pad|>", "<|padding|>", "<PAD>"];

function padIdOf(padding: unknown, specialIds: ReadonlyMap<string, number>, ids: ReadonlyMap<string, number>): number {
  if (padding !== null && padding !== undefined) return idOf(partOf(padding, "its padding")["pad_id"], "its padding's pad_id");
  for (const token of PAD_TOKENS) {
    const id = specialIds.get(token) ?? ids.get(token);
    if (id !== undefined) return id;
  }
  throw new Error("it has no padding token");
}

/** How a post-processor joins two texts. @throws {Error} it does not, or in a way that is not supported */
function pairTemplateOf(value: unknown): PairTemplate {
  if (value === null || value === undefined) throw new Error("it has no post-processor, which says how a pair of texts is joined");
  // ByteLevel changes offsets alone, which nobody reads here.
  const [part, ...more] = partsOf(value, "post-processor", "processors").filter(({ type }) => type !== "ByteLevel");
  if (part === undefined) throw new Error("its post-processor says nothing about how a pair of texts is joined");
  if (more.length > 0) throw new Error("its post-processor is a sequence of more than one template");
  switch (part["type"]) {
    case "TemplateProcessing":
      return templateOf(part);
    case "BertProcessing":
      return classic(part, 1);
    case "RobertaProcessing":
      return classic(part, 2);
    default:
      throw unsupported("post-processor", part["type"]);
  }
}

/**
 * BERT's `[CLS] A [SEP] B [SEP]` with two types, RoBERTa's `<s> A </s></s> B </s>` with one.
 * The library gives RoBERTa's second text a type of its own: `agreement.test.ts`, "puts around a pair".
 */
function classic(part: Part, separators: 1 | 2): PairTemplate {
  const idIn = (name: string): number => idOf(listOf(part[name], `its post-processor's ${name}`, 2)[1], `its post-processor's ${name}`);
  const hypothesisType = separators === 1 ? 1 : 0;
  const separator = { id: idIn("sep"), type: 0 };
  return {
    before: [{ id: idIn("cls"), type: 0 }],
    between: separators === 1 ? [separator] : [separator, separator],
    after: [{ ...separator, type: hypothesisType }],
    premiseType: 0,
    hypothesisType,
  };
}

function templateOf(part: Part): PairTemplate {
  const tokens = partOf(part["special_tokens"], "its post-processor's special_tokens");
  const groups: [SpecialToken[], SpecialToken[], SpecialToken[]] = [[], [], []];
  const types: number[] = [];
  for (const item of listOf(part["pair"], "its post-processor's pair", MAX_PARTS)) {
    const { Sequence: sequence, SpecialToken: special } = partOf(item, "an item of its post-processor's pair");
    if (special === undefined) {
      const { id, type_id: type } = partOf(sequence, "an item of its post-processor's pair");
      if (id !== (types.length === 0 ? "A" : "B") || types.length === 2)
        throw new Error("its post-processor's pair is not a first text followed by a second one");
      types.push(idOf(type, "a token type of its post-processor"));
    } else groups[types.length as 0 | 1 | 2].push(...tokensOf(partOf(special, "an item of its post-processor's pair"), tokens));
  }
  const [premiseType, hypothesisType] = types;
  if (premiseType === undefined || hypothesisType === undefined) throw new Error("its post-processor has no template for a pair of texts");
  const [before, between, after] = groups;
  return { before, between, after, premiseType, hypothesisType };
}

function tokensOf({ id: name, type_id: type }: Part, tokens: Part): readonly SpecialToken[] {
  const { ids } = partOf(tokens[textOf(name, "a special token's name", 300)], "a special token of its post-processor");
  return listOf(ids, "a special token's ids", MAX_PARTS).map((id) => ({
    id: idOf(id, "a special token's id"),
    type: idOf(type, "a token type of its post-processor"),
  }));
}

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
function addedTokensOf(value: unknown, marks: readonly string[]): readonly AddedToken[] {
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

type Section = { readonly id: number } | { readonly text: string; readonly isStart: boolean };

const WORD_AT_END = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u;
const WORD_AT_START = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const SPACE = /\p{White_Space}/u;

/**
 * Finds added tokens in a text, as Rust does: the leftmost first, of those the longest.
 * Ours, since the library reads special tokens in any text: `hub-tokenizer.test.ts`, "reads text that spells a special token as text".
 * @param normalize of their contents
 */
function findAdded(
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
