import { DecideError } from "../../../../errors.ts";
import type { Issue } from "../../../../errors.ts";
import { makeHubTokenizer } from "../../../tokenizer/hub-tokenizer.ts";
import type { HubTokenizer, SpecialToken } from "../../../tokenizer/hub-tokenizer.ts";
import { elementAt, present } from "../../../validation/expect.ts";
import { loadLanguage } from "../../load-language.ts";
import type { Language } from "../../load-language.ts";
import { checkLengths, countAnswers, countInput, distinctInOrder, finite, remembering, toWindows } from "../../batch.ts";
import type { Tokenize } from "../../batch.ts";
import { filled } from "../../encoders/encoder-manifest.ts";
import { Encoder, encoderFilesFor, loadEncoderGraph, readTokenizer, stateWarnings } from "../../encoders/encoder.ts";
import type { Batch, BatchScores, QuestionScores, QuestionText } from "../../engine.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import { holdNothing } from "../../queued-engine.ts";
import type { BeforeRun, Model } from "../../queued-engine.ts";
import type { Placement, Runtime } from "../../runtime.ts";
import type { Family } from "../manifests.ts";
import { maxFixedTokens } from "./manifest.ts";
import type { GliclassManifest } from "./manifest.ts";

/** Encoders that read all criteria and the text in one sequence (GLiClass, uni-encoder): "The model" in ARCHITECTURE.md of the repository. */
export const gliclass: Family<GliclassManifest> = {
  filesFor: encoderFilesFor,
  load: loadGliclass,
};

/** @throws {DecideError} `model_invalid`, `backend_unavailable` */
async function loadGliclass(pack: ModelPack<GliclassManifest>, runtime: Runtime, placement: Placement): Promise<Model> {
  const { manifest } = pack;
  const { markers: marks, prefixSpace } = manifest;
  const make = (json: unknown): HubTokenizer =>
    makeHubTokenizer(prefixSpace ? withPrefixSpace(json) : json, [marks.label, marks.separator]);
  const [tokenizer, language] = await Promise.all([readTokenizer(pack, make), loadLanguage()]);
  const markers = markerIds(manifest, tokenizer);
  const { session, file } = await loadEncoderGraph(pack, runtime, placement);
  const encoder = new Encoder(session, runtime, manifest, tokenizer.padId);
  const model = new GliclassModel(manifest, encoder, tokenizer, markers, language);
  return {
    graph: placement.precision,
    graphFile: file,
    features: 0,
    score: (batch, beforeRun) => model.score(batch, beforeRun),
    ...holdNothing(manifest.limits, tokenizer.tokenize),
    release: () => encoder.release(),
  };
}

function markerIds({ markers, tokenizer: { file } }: GliclassManifest, tokenizer: HubTokenizer): MarkerIds {
  const idFor = (name: keyof MarkerIds): number => {
    const id = tokenizer.idOf(markers[name]);
    if (id !== undefined) return id;
    throw new DecideError("model_invalid", `${file} has no such token as the manifest's markers.${name} names. Add the model again.`);
  };
  return { label: idFor("label"), separator: idFor("separator") };
}

/**
 * Reads all labels of a question and a window of the text in one sequence, one a run. A run depends on the state and that question alone, and so do its
 * scores, bit for bit.
 */
class GliclassModel {
  readonly #manifest: GliclassManifest;
  readonly #encoder: Encoder;
  readonly #tokenizer: HubTokenizer;
  readonly #markers: MarkerIds;
  readonly #language: Language;

  constructor(manifest: GliclassManifest, encoder: Encoder, tokenizer: HubTokenizer, markers: MarkerIds, language: Language) {
    this.#manifest = manifest;
    this.#encoder = encoder;
    this.#tokenizer = tokenizer;
    this.#markers = markers;
    this.#language = language;
  }

  async score(batch: Batch, beforeRun: BeforeRun): Promise<BatchScores> {
    const tokenize = remembering(this.#tokenizer.tokenize);
    checkLengths(batch, this.#manifest.limits, tokenize);
    const asked = batch.questions.map((question) => framed(question, this.#manifest, this.#tokenizer, this.#markers, tokenize));
    this.#checkRoom(asked);
    const questions: QuestionScores[] = [];
    for (const [i, question] of batch.questions.entries()) {
      const frame = elementAt(asked, i, "framed question");
      const scores = await this.#scoresOf(textTokens(batch.state, frame, tokenize), frame, beforeRun);
      questions.push(toQuestionScores(question, frame, scores, tokenize));
    }
    const vocabulary = { tokenize, unknownId: this.#tokenizer.unknownId };
    const warnings = stateWarnings(batch.state, tokenize(batch.state), vocabulary, this.#language);
    return { questions, warnings, inputTokens: countInput(batch, tokenize) };
  }

  /** @throws {DecideError} `input_too_long` for every question with too many labels, or too long ones. */
  #checkRoom(asked: readonly Framed[]): void {
    const { limits, maxLabels } = this.#manifest;
    const maxTokens = maxFixedTokens(limits);
    const issues: Issue[] = [];
    for (const [i, { before, behind, labels }] of asked.entries()) {
      const refuse = (msg: string): void => void issues.push({ loc: ["questions", i, "options"], msg, type: "too_long" });
      const tokens = before.length + behind.length;
      if (labels.length > maxLabels) refuse(`has ${labels.length} different options, more than the model's limit of ${maxLabels}`);
      else if (tokens > maxTokens)
        refuse(`has ${tokens} tokens together with the instructions, more than the model's limit of ${maxTokens}`);
    }
    if (issues.length > 0) throw new DecideError("input_too_long", "The batch is too long for the model.", { issues });
  }

  /** The scores of the labels. */
  async #scoresOf(text: readonly number[], { before, behind, labels }: Framed, beforeRun: BeforeRun): Promise<Float32Array> {
    const { windowTokens, overlapTokens } = this.#manifest.limits;
    const capacity = windowTokens - before.length - behind.length;
    const scores: Float32Array[] = [];
    for (const { start, length } of toWindows(text.length, capacity, overlapTokens)) {
      await beforeRun();
      const ids = [...before, ...text.slice(start, start + length), ...behind];
      scores.push(await this.#encoder.read([{ ids, types: ids.map(() => 0) }], labels.length, true));
    }
    return joinWindows(scores);
  }
}

function toQuestionScores(question: QuestionText, { labelOf }: Framed, scores: Float32Array, tokenize: Tokenize): QuestionScores {
  return {
    scores: Float32Array.from(labelOf, (label) => finite(present(scores[label], "score of a label"))),
    answerTokens: countAnswers(question, tokenize),
  };
}

/**
 * One score a label of a text that was read in windows: the highest. A label is about the text if it is about any part of it, and the authors' package
 * joins chunks in the same way.
 * @param windows the scores of each window, in the order of the labels
 */
export function joinWindows([first = new Float32Array(), ...others]: readonly Float32Array[]): Float32Array {
  return others.reduce((joined, scores) => joined.map((score, i) => Math.max(score, scores[i] ?? NaN)), first);
}

/** A part of a tokenizer.json that splits texts. */
interface PreTokenizer {
  readonly type?: unknown;
  readonly pretokenizers?: readonly PreTokenizer[];
}

/** A tokenizer.json whose bytes begin with a space, so that a label is read as the same word inside a text. Only byte-level ones are changed. */
export function withPrefixSpace(tokenizerJson: unknown): unknown {
  const json = tokenizerJson as { readonly pre_tokenizer?: PreTokenizer | null };
  return { ...json, pre_tokenizer: json.pre_tokenizer && changed(json.pre_tokenizer) };
}

function changed(part: PreTokenizer): PreTokenizer {
  const { type, pretokenizers } = part;
  if (type === "Sequence") return { ...part, ...(pretokenizers && { pretokenizers: pretokenizers.map(changed) }) };
  return type === "ByteLevel" ? { ...part, ...{ add_prefix_space: true } } : part;
}

/** A question as the model reads it: what stands before and behind each window of the text. */
interface Framed {
  readonly before: readonly number[];
  readonly behind: readonly number[];
  /** Tokens of each distinct label, in the order of the scores. */
  readonly labels: readonly (readonly number[])[];
  /** For each of the question's options, the index of its label. */
  readonly labelOf: readonly number[];
  /** Whether the text follows words, and not a token that ends them. */
  readonly followsWords: boolean;
}

/** Token ids of the two markers. */
interface MarkerIds {
  readonly label: number;
  readonly separator: number;
}

/**
 * Puts a question around a text: `[CLS] <<LABEL>> label <<LABEL>> label <<SEP>> prompt text [SEP]`, or the text first. Labels stand in an order of their own,
 * equal ones once, so the caller's order has no effect.
 */
export function framed(
  { type, instructions, options }: QuestionText,
  { templates, promptFirst }: Pick<GliclassManifest, "templates" | "promptFirst">,
  { pair }: Pick<HubTokenizer, "pair">,
  markers: MarkerIds,
  tokenize: Tokenize,
): Framed {
  const template = templates[type];
  const read = options.map(({ text }) => tokenize(filled(template.label, { instructions, option: text })));
  const labels = distinctInOrder(read);
  const places = new Map(labels.map((tokens, i) => [String(tokens), i]));
  const prompt = instructions.trim() === "" ? [] : tokenize(filled(template.prompt, { instructions, option: "" }));
  const asked = [...labels.flatMap((tokens) => [markers.label, ...tokens]), markers.separator, ...prompt];
  const [start, end] = [idsOf(pair.before), idsOf(pair.after)];
  return {
    before: promptFirst ? [...start, ...asked] : start,
    behind: promptFirst ? end : [...asked, ...end],
    labels,
    labelOf: read.map((tokens) => places.get(String(tokens)) ?? NaN),
    followsWords: promptFirst && prompt.length > 0,
  };
}

/** A text's tokens. Behind words it is set off by a space, which some tokenizers write into the next token. */
export function textTokens(text: string, { followsWords }: Pick<Framed, "followsWords">, tokenize: Tokenize): readonly number[] {
  return tokenize(followsWords && text !== "" && !text.startsWith(" ") ? ` ${text}` : text);
}

function idsOf(tokens: readonly SpecialToken[]): number[] {
  return tokens.map(({ id }) => id);
}
