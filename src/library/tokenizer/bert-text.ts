// BERT's reading of a text before word pieces, as the Rust library does it: characters that are removed or set apart, accents, case, words.
//
// An engine's classes (`\p{Mn}`), `normalize` and `toLowerCase` follow its version of Unicode, and Rust's tables are of other ones, with which models were
// trained. So classes of characters are tables of ours, for the category of a character may change. The engine is asked for decompositions and small letters
// of `KNOWN` characters alone. Those have been in Unicode since version 14, which every supported engine has, and its policies for stability
// (https://www.unicode.org/policies/stability_policy.html) keep what becomes of them: "Normalization Stability" their decomposition and order, "Case Pair
// Stability" the small letter of a capital, "Case Folding Stability" that no other character turns into a capital.
// `test/fixtures/tokenizers/characters.py` takes the tables from the Rust library, `bert-text.test.ts` reads every code point. They are ranges of code points, as `numbersIn` and `charactersIn` read them.

/** Control characters, formats, private use, U+FFFD. */
const REMOVED = "aidbcrDsBgoaCAlfxaHlaByaGLjaDAreBbeByecjCUOfJMdCHcaJqccaGIyaCNCldHWyhBTKZnaBfDrDSTtDSYndDSYn";
const MARKS =
  "BDoEhKqeKgBscacbcbcaCvkBxuraDygdfdbcdBkaBfBaDokChiBjdciccceBscFgBfCeacafhfaeglbBeaChafdjavbBebCgafbfbdceaBfbeambCgafecbfavbBeaChadacdjajambBfaCkanaBzaCkcgccdibmbBeaChadahagbvbBeaCmdjavbDzaiccaDnadgnhDvadfcbmfCxbBcacacaCencecbgkcBjkaDzdcfcbdbBabfcrdoadbhaqaBBccBKlcBecBebBfbCnbcgjadkkaBucGaaEpcfbkahcImbdaChacgcacadhhjdaBxnCpdBxacecagaBpinbBhddbccCfacbeaccChhdbFxccmcgfahaebHrCbhdBBtmfaelEOdcFmaDtBfVjdEebBSQfafjBhbDdbKnaeafaBabGcaBcrCbhBakBvcBxadddaBpaCqfdbdbnajaBwaCaaccdbgbcaBrbjaJfadafaBDZtaBCkprpBLmaItaFueCMhccbgdBpcfaGkbBYhaCdoCfcByddbCscBlechClanbCbimcDvcdacbGmaehwbChaeaBmgeeMhfcafbcbJfdhbcbBcbDihdacbEdacadfcaDycddceBFSveCigBQvdBDEpbHWrcshdgBfdFtcCYeCcfBxjapaxecoFJdgBTCNiJf";
const PUNCTUATION =
  "BholgBbfBbdBjagaealbeaeaBBbajaRzfBqbCaacadadaBtbvbcboadbCxdDzaBsnJacCdoBgaKcblaOuaBDsaDnalbGnocaBmdCuaCxefbEifGqaXpiFwaXxbBtbDbcCubGccccBmkMcbIjbEzgcfGrgGadCieClbCnhmaBFxxjtcmclBfbpbYkdBebBPunDcbBgjPovCmdBhbBDkdcbEjaFoBucsRfcfjdlranaDvaDnaBRYhbKkcDwalaEmfOrdDjbBpccaBybBwaDumrbEvdExbrbJqaBEUtbIbjxBicncafacbFuccfcdlbebBbccaBcacacgPvcZtaBxaPzaBCqaHsaBgaKniBnaEjgCpgDmdBTzgEgbcdExdBxbDceeaoaccDlfEeaUvaJrwEccJpcEZyeBANabFeaCoejaBEVbaLIme";
/** All that have a decomposition or a small letter, and characters between them that have none in Rust and in any engine. */
const KNOWN =
  "CnBFpibgfcactcPfdBlHwGvXaCcEebqbcaDgadaBjcdaJaadbqbCdaCccEuaEqahbcbExcFmeNtakBckBgkBcEfGdcagaBBvDhCRpCjMvBqdcMjKrdfdBldfdhcacacacBedCacocndfcsdcchdbLhDpxPkPgCIoLgJiBHaCukDsBSKoDmFgGlhagcBdaBNvQNrMQnObdEbCqzcecacbcbciBLrzBVaBnFhBjGbkcocgcbCQdByBMmrFbbUubOddJsbBCnBfBGJxBfBLMtDuIUyBhDYPbUv";
/** Capitals that are younger: the first, the last, and the small letter of the first. */
const YOUNGER = "KUzKUzKVaCLOdCLOdXoCLOeCLOeCLOfCLOgCLOgCLOhCLOkCLOkCLOlCLOmCLOmCLOnCLOsCLOsCLOtCLOuCLOuPvDXZsDYAnDYAyFIVwFIWuFIWx";

/** To the base 26, "a" for 0. All digits of a number but the last are capitals: in a script small letters compress better. */
function numbersIn(code: string): number[] {
  return (code.match(/[A-Z]*[a-z]/gu) ?? []).map((digits) =>
    Array.from(digits).reduce((number, digit) => 26 * number + (digit.charCodeAt(0) & 31) - 1, 0),
  );
}

/** The inside of an expression's class. First and last of each range, each as its distance from the number before. */
export function charactersIn(code: string): string {
  let at = 0;
  return numbersIn(code)
    .map((distance, index) => `${index % 2 === 0 ? "" : "-"}\\u{${(at += distance).toString(16)}}`)
    .join("");
}

const SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const SPACES = new RegExp(`[${SPACE}]`, "gu");
const ALL_REMOVED = new RegExp(`[${charactersIn(REMOVED)}]+`, "gu");
const ALL_MARKS = new RegExp(`[${charactersIn(MARKS)}]+`, "gu");
const ALL_KNOWN = new RegExp(`[${charactersIn(KNOWN)}]+`, "gu");
/** With the gaps of BERT's code. */
const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const SIGN = charactersIn(PUNCTUATION);
const WORDS = new RegExp(`[^${SPACE}${SIGN}]+|[${SIGN}]`, "gu");

const smallOfYounger = new Map<string, string>();
for (let numbers = numbersIn(YOUNGER), at = 0; at < numbers.length; at += 3) {
  const [first = 0, last = 0, small = 0] = numbers.slice(at, at + 3);
  for (let code = first; code <= last; code += 1)
    smallOfYounger.set(String.fromCodePoint(code), String.fromCodePoint(small + code - first));
}
const ALL_YOUNGER = new RegExp(`[${[...smallOfYounger.keys()].join("")}]`, "gu");

/**
 * Never many characters at once: an engine takes the square of their number to order marks. With the ASCII between them, since many short parts take longer.
 */
const BEYOND_ASCII = /([^ -~](?:[ -~]{0,8}[^ -~]){0,255})/u;

/** Most of most texts is ASCII, where there is little to do. */
function byParts(text: string, ofAscii: (part: string) => string, ofOthers: (part: string) => string): string {
  return text
    .split(BEYOND_ASCII)
    .map((part, at) => (at % 2 === 0 ? ofAscii(part) : ofOthers(part)))
    .join("");
}

const inAscii = (text: string): string => text.toLowerCase();

function smallLetters(text: string): string {
  // JavaScript has another small sigma at the end of a word.
  const known = text.replaceAll("Σ", "σ").replace(ALL_KNOWN, inAscii);
  return known.replace(ALL_YOUNGER, (capital) => smallOfYounger.get(capital) ?? capital);
}

/** In small letters, each by itself. */
export function lowercase(text: string): string {
  return byParts(text, inAscii, smallLetters);
}

/** A `BertNormalizer` of a tokenizer.json. */
export interface BertNormalizer {
  /** Removes characters that are not read, and makes all white space spaces. */
  readonly clean_text: boolean;
  /** Makes a word of each Chinese character. */
  readonly handle_chinese_chars: boolean;
  /** Removes accents: nonspacing marks. Null is as `lowercase`. */
  readonly strip_accents: boolean | null;
  readonly lowercase: boolean;
}

/** Rewrites a text as Rust's `BertNormalizer` does, but for the order of marks in a row that are no accents to Rust. No piece of a built-in pack has such a mark. */
export function bertNormalize(
  text: string,
  { clean_text, handle_chinese_chars, strip_accents, lowercase: isLower }: BertNormalizer,
): string {
  const ofOthers = (part: string): string => {
    let read = clean_text ? part.replace(ALL_REMOVED, "").replace(SPACES, " ") : part;
    if (handle_chinese_chars) read = read.replace(CHINESE, " $& ");
    if (strip_accents ?? isLower) read = read.replace(ALL_KNOWN, (known) => known.normalize("NFD")).replace(ALL_MARKS, "");
    return isLower ? smallLetters(read) : read;
  };
  return byParts(text, isLower ? inAscii : (part) => part, ofOthers);
}

/** The words of a normalized text, as Rust's `BertPreTokenizer` cuts them: each punctuation mark is one. */
export function bertWords(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}
