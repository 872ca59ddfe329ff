import { loadLanguage, type Language } from "../load-language.ts";
import { checkLengths, countAnswers, countInput, remembering, type Tokenize } from "../batch.ts";
import { runtimeFailed, checkPrecision } from "../devices.ts";
import type { EncoderInput, EncoderManifest, GraphFiles } from "./encoder-manifest.ts";
import { DecideError } from "../../../errors.ts";
import { tokenizerOf, type ModelPack } from "../pack/open-pack.ts";
import { createSession, type Runtime, type Session, type Tensor, type Placement } from "../runtime.ts";
import { makeHubTokenizer, type HubTokenizer } from "../../tokenizer/hub-tokenizer.ts";
import type { Batch, QuestionScores, QuestionText, StateWarning } from "../engine.ts";
import type { BeforeRun, Model } from "../queued-engine.ts";

/** A row as an encoder reads it: token ids, special ones included, and the token type of each. */
export interface Sequence {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** Runs a published graph: the numbers of each sequence, row by row. @throws {DecideError} `backend_failed` */
export type ReadSequences = (
  rows: readonly Sequence[],
  /** How many numbers each row has. */
  outputs: number,
  /** Whether the graph may give further numbers of one row, which are left out. Default: false. */
  isSurplusLeftOut?: boolean,
) => Promise<Float32Array>;

/** @param padId the token that shorter rows end in, where the attention mask is 0 */
export function sequenceReader(
  session: Pick<Session, "run">,
  { Tensor }: Pick<Runtime, "Tensor">,
  { graph: { inputs, output } }: Pick<EncoderManifest, "graph">,
  padId: number,
): ReadSequences {
  /** By input: the value of padding, and the values of a row. */
  const values: { readonly [I in EncoderInput]: readonly [padding: number, of: (row: Sequence) => readonly number[]] } = {
    input_ids: [padId, ({ ids }) => ids],
    attention_mask: [0, ({ ids }) => ids.map(() => 1)],
    token_type_ids: [0, ({ types }) => types],
  };
  const tensorOf = (input: EncoderInput, rows: readonly Sequence[]): Tensor => {
    const length = Math.max(...rows.map(({ ids }) => ids.length));
    const [padding, valuesOf] = values[input];
    const all = new BigInt64Array(rows.length * length).fill(BigInt(padding));
    rows.forEach((row, i) => {
      all.set(valuesOf(row).map(BigInt), i * length);
    });
    return new Tensor("int64", all, [rows.length, length]);
  };
  return async (rows, outputs, isSurplusLeftOut = false) => {
    try {
      const feeds = Object.fromEntries(inputs.map((input) => [input, tensorOf(input, rows)]));
      const result = (await session.run(feeds, [output]))[output];
      if (result === undefined) throw new TypeError(`the graph has no ${output}`);
      const { dims } = result;
      const [given = 0, numbers = 0] = dims;
      const isSurplus = isSurplusLeftOut && rows.length === 1 && numbers > outputs;
      if (dims.length !== 2 || given !== rows.length || (numbers !== outputs && !isSurplus))
        throw new TypeError(`the graph gave ${dims.join(" x ")} numbers, not ${rows.length} x ${outputs}`);
      return floatsOf(result).subarray(0, rows.length * outputs);
    } catch (cause) {
      throw runtimeFailed(cause);
    }
  };
}

/** A tensor's numbers as float32. Graphs in half precision may give such numbers. */
function floatsOf({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type !== "float16") throw new TypeError(`a tensor of the graph holds ${type}, not float32`);
  // Where JavaScript has no such numbers yet, the runtime gives their bits.
  return data instanceof Uint16Array ? Float32Array.from(data, halfOf) : Float32Array.from(data as unknown as ArrayLike<number>);
}

/** A number by its 16 bits: sign, 5 of the exponent, 10 of the fraction (IEEE 754 binary16). */
export function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** Names of the files that an encoder needs. @throws {DecideError} `backend_unavailable` when the device, or the pack, does not have this arithmetic. */
export function encoderFilesFor(manifest: EncoderManifest, placement: Pick<Placement, "device" | "precision">): string[] {
  const { file, externalData = [] } = graphFor(manifest, placement);
  return [manifest.tokenizer.file, file, ...externalData];
}

/**
 * A family's way to read a batch with its tokens. It throws for what is too long.
 * @returns the scores of a question's options, float32 [options]. They depend on the state and that question alone, bit for bit.
 */
export type BatchReader = (
  batch: Batch,
  tokenize: Tokenize,
  read: ReadSequences,
) => (question: QuestionText, index: number, beforeRun: BeforeRun) => Promise<Float32Array>;

/**
 * Loads a model that reads the state together with each question: it keeps none read.
 * @param readerOf may throw, too, before the graph is loaded
 * @param make as for `tokenizerOf`
 * @throws {DecideError} `model_invalid` for a tokenizer or a graph that cannot be used; `backend_unavailable` when the device or the pack does not have this
 *   arithmetic, or there is too little memory.
 */
export async function loadEncoder(
  pack: Pick<ModelPack<EncoderManifest>, "manifest" | "read">,
  runtime: Runtime,
  placement: Placement,
  readerOf: (tokenizer: HubTokenizer) => BatchReader,
  make: (tokenizerJson: unknown) => HubTokenizer = makeHubTokenizer,
): Promise<Model> {
  const { manifest } = pack;
  const { limits } = manifest;
  const [tokenizer, language] = await Promise.all([readTokenizer(pack, make), loadLanguage()]);
  const readBatch = readerOf(tokenizer);
  const { file, externalData = [] } = graphFor(manifest, placement);
  const weights = await Promise.all(externalData.map(async (path) => ({ path, data: await pack.read(path) })));
  const graph = { file, bytes: await pack.read(file), optimisation: "all", ...(weights.length > 0 && { externalData: weights }) } as const;
  const session = await createSession(runtime, graph, placement);
  const read = sequenceReader(session, runtime, manifest, tokenizer.padId);
  return {
    graph: placement.precision,
    graphFile: file,
    features: 0,
    async score(batch, beforeRun) {
      const tokenize = remembering(tokenizer.tokenize);
      checkLengths(batch, limits, tokenize);
      const scoresOf = readBatch(batch, tokenize, read);
      const questions: QuestionScores[] = [];
      for (const [i, question] of batch.questions.entries())
        questions.push({ scores: await scoresOf(question, i, beforeRun), answerTokens: countAnswers(question, tokenize) });
      const warnings = stateWarnings(batch.state, tokenize(batch.state), { tokenize, unknownId: tokenizer.unknownId }, language);
      return { questions, warnings, inputTokens: countInput(batch, tokenize) };
    },
    async hold(state, beforeRun) {
      await beforeRun();
      checkLengths({ state, questions: [] }, limits, tokenizer.tokenize);
      return { tokens: tokenizer.tokenize(state).length, bytes: 0, release: () => undefined };
    },
    kept: () => ({ heldBytes: 0, cachedBytes: 0, cacheBytes: 0 }),
    forget: () => undefined,
    release: () => session.release(),
  };
}

function graphFor({ id, graphs }: EncoderManifest, { device, precision }: Pick<Placement, "device" | "precision">): GraphFiles {
  checkPrecision(device, precision);
  const graph = graphs[precision];
  if (graph !== undefined) return graph;
  const has = Object.keys(graphs).join(", ");
  throw new DecideError("backend_unavailable", `The model ${id} has no ${precision} graph. It has: ${has}.`);
}

/** The largest published ones, of vocabularies with 250,000 entries in all languages, have 17 MB. */
const MAX_FILE_BYTES = 50_000_000;

/** The tokenizer of a pack. @param make as for `tokenizerOf` @throws {DecideError} `model_invalid` */
export function readTokenizer(
  pack: Pick<ModelPack<EncoderManifest>, "manifest" | "read">,
  make: (tokenizerJson: unknown) => HubTokenizer = makeHubTokenizer,
): Promise<HubTokenizer> {
  return tokenizerOf(pack, make, MAX_FILE_BYTES, "add the model again");
}

/** From this share of unknown tokens on, a text is unread. A word without any known letter often has two tokens: a mark of its beginning, and the unknown one. */
const UNREAD_SHARE = 1 / 3;

/** Frequent words in five scripts. A vocabulary of many languages has most of them whole, any other spells them by letters or bytes. */
const MANY_LANGUAGES = "который также можно нельзя πρέπει επίσης 我们 可以 هذا كان नहीं है";
const AS_LETTERS = 0.45;
/** A vocabulary spells its own language in long pieces: in no more of them than this many times those of English. */
const ENGLISH = "The customer says that the parcel has not arrived yet, and would like to know where it is.";
const AT_HOME = 1.25;

interface Vocabulary {
  readonly tokenize: Tokenize;
  /** undefined where it can spell everything. */
  readonly unknownId: number | undefined;
}

/**
 * Warnings about a state.
 * @param ids its tokens: some tokenizers have some for white space
 */
export function stateWarnings(state: string, ids: readonly number[], vocabulary: Vocabulary, language: Language): StateWarning[] {
  if (ids.length === 0 || state.trim() === "") return ["empty_state"];
  const isUnread = unknownShare(ids, vocabulary) >= UNREAD_SHARE || (language.isForeign(state) && !isHome(state, ids, vocabulary));
  return isUnread ? ["unread_text"] : [];
}

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
