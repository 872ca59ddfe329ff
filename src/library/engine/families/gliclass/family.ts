import { DecideError, type Issue } from "../../../../errors.ts";
import { makeHubTokenizer, type HubTokenizer } from "../../../tokenizer/hub-tokenizer.ts";
import { elementAt, present } from "../../../validation/expect.ts";
import { batchTooLong, distinctInOrder, finite, toWindows, type Tokenize } from "../../batch.ts";
import { filled } from "../../encoders/encoder-manifest.ts";
import { encoderFilesFor, loadEncoder, type BatchReader } from "../../encoders/encoder.ts";
import type { QuestionText } from "../../engine.ts";
import type { Family } from "../manifests.ts";
import { maxFixedTokens, type GliclassManifest } from "./manifest.ts";

/** Encoders that read all criteria and the text in one sequence (GLiClass, uni-encoder): "The model" in ARCHITECTURE.md of the repository. */
export const gliclass: Family<GliclassManifest> = {
  filesFor: encoderFilesFor,
  load(pack, runtime, placement) {
    const { markers: marks, prefixSpace } = pack.manifest;
    const make = (json: unknown): HubTokenizer =>
      makeHubTokenizer(prefixSpace ? withPrefixSpace(json) : json, [marks.label, marks.separator]);
    return loadEncoder(pack, runtime, placement, (tokenizer) => gliclassReader(pack.manifest, tokenizer), make);
  },
};

/** Reads all labels of a question and a window of the text in one sequence, one a run. @throws {DecideError} `model_invalid` */
function gliclassReader(manifest: GliclassManifest, tokenizer: HubTokenizer): BatchReader {
  const { windowTokens, overlapTokens } = manifest.limits;
  const markers = markerIds(manifest, tokenizer);
  return ({ state, questions }, tokenize, read) => {
    const asked = questions.map((question) => framed(question, manifest, tokenizer, markers, tokenize));
    checkRoom(asked, manifest);
    return async (_, index, beforeRun) => {
      const frame = elementAt(asked, index, "framed question");
      const { before, behind, labels, labelOf } = frame;
      const text = textTokens(state, frame, tokenize);
      const windows: Float32Array[] = [];
      for (const { start, length } of toWindows(text.length, windowTokens - before.length - behind.length, overlapTokens)) {
        await beforeRun();
        const ids = [...before, ...text.slice(start, start + length), ...behind];
        windows.push(await read([{ ids, types: ids.map(() => 0) }], labels.length, true));
      }
      const scores = joinWindows(windows);
      return Float32Array.from(labelOf, (label) => finite(present(scores[label], "score of a label")));
    };
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

/** @throws {DecideError} `input_too_long` for every question with too many labels, or too long ones. */
function checkRoom(asked: readonly Framed[], { limits, maxLabels }: GliclassManifest): void {
  const maxTokens = maxFixedTokens(limits);
  const issues: Issue[] = [];
  for (const [i, { before, behind, labels }] of asked.entries()) {
    const refuse = (msg: string): void => void issues.push({ loc: ["questions", i, "options"], msg, type: "too_long" });
    const tokens = before.length + behind.length;
    if (labels.length > maxLabels) refuse(`has ${labels.length} different options, more than the model's limit of ${maxLabels}`);
    else if (tokens > maxTokens) refuse(`has ${tokens} tokens together with the instructions, more than the model's limit of ${maxTokens}`);
  }
  if (issues.length > 0) throw batchTooLong(issues);
}

/**
 * One score a label of a text that was read in windows: the highest. A label is about the text if it is about any part of it, and the authors' package
 * joins chunks in the same way.
 * @param windows the scores of each window, in the order of the labels
 */
export function joinWindows([first = new Float32Array(), ...others]: readonly Float32Array[]): Float32Array {
  return others.reduce((joined, scores) => joined.map((score, i) => Math.max(score, scores[i] ?? NaN)), first);
}

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
  const [start, end] = [pair.before, pair.after].map((tokens) => tokens.map(({ id }) => id)) as [number[], number[]];
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
