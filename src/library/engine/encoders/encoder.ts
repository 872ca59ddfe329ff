import type { Language } from "../load-language.ts";
import type { Tokenize } from "../batch.ts";
import type { Runtime, Session, Tensor, Placement } from "../runtime.ts";
import { runtimeFailed, checkPrecision } from "../devices.ts";
import type { EncoderInput, EncoderManifest, GraphFiles } from "./encoder-manifest.ts";
import { DecideError } from "../../../errors.ts";
import { tokenizerOf } from "../pack/open-pack.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import { createSession } from "../runtime.ts";
import { makeHubTokenizer } from "../../tokenizer/hub-tokenizer.ts";
import type { HubTokenizer } from "../../tokenizer/hub-tokenizer.ts";
import type { StateWarning } from "../engine.ts";

/** A row as an encoder reads it: token ids, special ones included, and the token type of each. */
export interface Sequence {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** Runs a published graph: sequences in, float32 numbers of each out. */
export class Encoder {
  readonly #session: Session;
  readonly #runtime: Runtime;
  readonly #graph: EncoderManifest["graph"];
  readonly #padId: number;

  /** @param padId the token that shorter rows end in, where the attention mask is 0 */
  constructor(session: Session, runtime: Runtime, { graph }: Pick<EncoderManifest, "graph">, padId: number) {
    this.#session = session;
    this.#runtime = runtime;
    this.#graph = graph;
    this.#padId = padId;
  }

  /**
   * The graph's output, row by row.
   * @param outputs how many numbers each row has
   * @param isSurplusLeftOut whether the graph may give further numbers of one row, which are left out. Default: false.
   * @throws {DecideError} `backend_failed`
   */
  async read(rows: readonly Sequence[], outputs: number, isSurplusLeftOut = false): Promise<Float32Array> {
    const { inputs, output } = this.#graph;
    try {
      const feeds = Object.fromEntries(inputs.map((input) => [input, this.#tensorOf(input, rows)]));
      const result = (await this.#session.run(feeds, [output]))[output];
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
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #tensorOf(input: EncoderInput, rows: readonly Sequence[]): Tensor {
    const length = Math.max(...rows.map(({ ids }) => ids.length));
    const [padding, valuesOf] = this.#valuesFor(input);
    const values = new BigInt64Array(rows.length * length).fill(BigInt(padding));
    rows.forEach((row, i) => {
      values.set(valuesOf(row).map(BigInt), i * length);
    });
    return new this.#runtime.Tensor("int64", values, [rows.length, length]);
  }

  /** An input's values: of padding, and of a row. */
  #valuesFor(input: EncoderInput): [number, (row: Sequence) => readonly number[]] {
    switch (input) {
      case "input_ids":
        return [this.#padId, ({ ids }) => ids];
      case "attention_mask":
        return [0, ({ ids }) => ids.map(() => 1)];
      case "token_type_ids":
        return [0, ({ types }) => types];
    }
  }
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

/** @throws {DecideError} `model_invalid` when the runtime refuses the graph; `backend_unavailable` when the device or the pack does not have this arithmetic, or there is too little memory. */
export async function loadEncoderGraph(
  { manifest, read }: Pick<ModelPack<EncoderManifest>, "manifest" | "read">,
  runtime: Runtime,
  placement: Placement,
): Promise<{ readonly session: Session; readonly file: string }> {
  const { file, externalData = [] } = graphFor(manifest, placement);
  const weights = await Promise.all(externalData.map(async (path) => ({ path, data: await read(path) })));
  const graph = { file, bytes: await read(file), optimisation: "all", ...(weights.length > 0 && { externalData: weights }) } as const;
  return { session: await createSession(runtime, graph, placement), file };
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

/** A pack's tokenizer, as far as warnings need it. */
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
