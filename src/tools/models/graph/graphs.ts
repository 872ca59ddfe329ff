import { posix } from "node:path";
import { readFile } from "node:fs/promises";
import { ToolError } from "../../tool-error.ts";
import { isLfsPointer, lfsPointer, listed, type ModelSource, type SourceFile } from "../model-source.ts";
import { INPUTS, type EncoderInput } from "../../../library/engine/encoders/encoder-manifest.ts";
import type { Precision } from "../../../library/engine/engine.ts";
import { isPlainName } from "../../../library/engine/pack/manifest-fields.ts";
import { graphFacts, type GraphEnd, type GraphFacts } from "./graph-facts.ts";

/** Graphs with int8 weights, by the ends of their names, those for this kind of processor first. */
const INT8: { readonly [arch: string]: readonly string[] } = {
  x64: [
    "_quantized",
    "_int8",
    // GLiClass's authors.
    "-int8-quantized",
    "_qint8_avx512_vnni",
    "_qint8_avx512",
    "_int8_avx512_vnni",
    "_quint8_avx2",
    "_qint8_avx2",
    "_uint8",
    "_quint8",
    "_qint8",
  ],
  arm64: ["_qint8_arm64", "_quantized_arm64", "_quantized", "_int8", "-int8-quantized", "_qint8", "_uint8", "_quint8"],
};
/** Graphs in full precision; O1 to O3 are the same, with operators joined. */
const PLAIN_ENDINGS: readonly string[] = ["", "_fp32", "_O3", "_O2", "_O1"];
/** Starts of graphs' names. Other endings are never taken unasked, unless nothing else is there: half precision, 4 bits, and what is made for GPUs. */
const STEMS = ["model", "gliclass"] as const;

/** Paths of graphs are shown as they are: one of them is to be given. */
const ANY = /^/u;

/**
 * The graphs to take: those that a person named, else one. It is int8 where the processor computes that exactly, else a plain one; the only one there is in
 * any case.
 * @param files all of the model
 * @param named paths of graphs, or their names alone
 * @param arch the processor's kind, as Node names it
 * @param isInt8Exact asked only where it matters
 * @throws {ToolError} if there are none such
 */
export async function chooseGraphs(
  files: readonly SourceFile[],
  named: readonly string[],
  arch: string,
  isInt8Exact: () => Promise<boolean>,
): Promise<string[]> {
  if (named.length > 0) return [...new Set(named.map((path) => findGraph(files, path)))];
  const graphs = graphsOf(files);
  if (graphs.length === 0) throw noGraph(files);
  if (graphs.length === 1) return graphs;
  const plain = firstNamed(graphs, PLAIN_ENDINGS);
  const int8 = firstNamed(graphs, INT8[arch] ?? INT8["x64"] ?? []);
  if (int8 !== undefined && (plain === undefined || (await isInt8Exact()))) return [int8];
  if (plain !== undefined) return [plain];
  const [one, ...others] = graphs.filter((path) => !/(?:encoder|decoder)/u.test(posix.basename(path)));
  if (one !== undefined && others.length === 0) return [one];
  throw new ToolError(`Which graph? Give one with --file: ${listed(graphs, ANY)}.`);
}

function findGraph(files: readonly SourceFile[], asked: string): string {
  const wanted = posix.normalize(asked.replaceAll("\\", "/"));
  const graphs = graphsOf(files);
  const found = graphs.find((path) => path === wanted) ?? graphs.find((path) => posix.basename(path) === wanted);
  if (found !== undefined) return found;
  if (graphs.length === 0) throw noGraph(files);
  throw new ToolError(`The model has no such graph as --file names. It has: ${listed(graphs, ANY)}.`);
}

function graphsOf(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path).filter((path) => path.endsWith(".onnx"));
}

function firstNamed(graphs: readonly string[], endings: readonly string[]): string | undefined {
  const names = endings.flatMap((ending) => STEMS.map((stem) => `${stem}${ending}.onnx`));
  return names.map((name) => graphs.find((path) => posix.basename(path) === name)).find((path) => path !== undefined);
}

function noGraph(files: readonly SourceFile[]): ToolError {
  const weights = files.find(({ path }) => /\.(?:safetensors|bin|h5|msgpack|gguf)$/u.test(path));
  const found = weights === undefined ? "" : ` It has weights of another kind (${posix.basename(weights.path)}).`;
  return new ToolError(
    `The model has no graph in ONNX (onnx/model.onnx).${found} Export it: optimum-cli export onnx --model NAME --task text-classification FOLDER. Or look for the model's ONNX edition on the hub.`,
  );
}

export function companionsOf(files: readonly SourceFile[], graph: string): string[] {
  const stem = graph.slice(0, -".onnx".length);
  return files
    .map(({ path }) => path)
    .filter((path) => path.startsWith(`${graph}_data`) || [`${graph}.data`, `${stem}.data`].includes(path));
}

export interface ClassifierGraph {
  readonly path: string;
  readonly precision: Precision;
  readonly inputs: readonly EncoderInput[];
  readonly output: string;
  /** How many logits there are; undefined if the graph leaves it open. */
  readonly classes: number | undefined;
  readonly externalData: readonly string[];
  readonly opset: number;
  readonly customOperators: readonly string[];
}

const INTEGER_PRODUCTS: readonly string[] = [
  "MatMulInteger",
  "QLinearMatMul",
  "QLinearConv",
  "ConvInteger",
  "DynamicQuantizeLinear",
  "QuantizeLinear",
  "com.microsoft:MatMulIntegerToFloat",
  "com.microsoft:DynamicQuantizeMatMul",
  "com.microsoft:QAttention",
  "com.microsoft:QGemm",
];

const OWN_DOMAINS = /^(?:ai\.onnx\.ml|com\.microsoft(?:\.\w+)*|ai\.onnx\.preview):/u;

/** Protocol buffers end here, and a pack, too. */
const MAX_BYTES = 2 ** 31;

/** Reads a graph and says what must be known of it. @throws {ToolError} if it is no whole ONNX file, or does something else than classify texts */
export async function checkGraph(source: ModelSource, path: string, signal: AbortSignal | undefined): Promise<ClassifierGraph> {
  const sizeBytes = source.files.find((file) => file.path === path)?.sizeBytes ?? 0;
  if (sizeBytes >= MAX_BYTES) throw new ToolError(`${path} has ${sizeBytes} bytes, more than the ${MAX_BYTES} that a model may have.`);
  const facts = factsOf(await readFile(await source.fetch(path, signal)), path);
  const output = logitsOf(facts, path);
  for (const location of facts.externalFiles) checkExternal(source, path, location);
  return {
    path,
    precision: precisionOf(facts),
    inputs: inputsOf(facts, path),
    output: output.name,
    classes: output.sizes?.[1],
    externalData: facts.externalFiles,
    opset: facts.opset,
    customOperators: [...facts.operators].filter((name) => name.includes(":") && !OWN_DOMAINS.test(name)),
  };
}

function factsOf(bytes: Uint8Array, path: string): GraphFacts {
  // Such a pointer has some hundred bytes.
  if (bytes.byteLength < 1024 && isLfsPointer(new TextDecoder().decode(bytes))) throw lfsPointer(path);
  if (bytes.byteLength === 0) throw new ToolError(`${path} is empty. Download it again.`);
  return graphFacts(bytes, path);
}

function precisionOf({ operators, weights }: GraphFacts): Precision {
  if (INTEGER_PRODUCTS.some((name) => operators.has(name))) return "int8";
  return (weights.get("float16") ?? 0) > (weights.get("float32") ?? 0) ? "fp16" : "fp32";
}

function inputsOf({ inputs }: GraphFacts, path: string): EncoderInput[] {
  const names = inputs.map(({ name }) => name);
  if (names.some((name) => /^(?:decoder_|encoder_hidden|past_key_values|encoder_outputs)/u.test(name)))
    throw new ToolError(`${path} is part of a model that writes text (it takes ${listed(names)}), not one that classifies texts.`);
  if (names.some((name) => /^pixel_values|^input_features$/u.test(name)))
    throw new ToolError(`${path} reads images or sound (it takes ${listed(names)}), not texts.`);
  const unknown = names.filter((name) => !isInput(name));
  if (unknown.length > 0)
    throw new ToolError(`${path} takes ${listed(unknown)}, which umpire does not know. A graph may take ${INPUTS.join(", ")}.`);
  const missing = INPUTS.filter((name) => name !== "token_type_ids" && !names.includes(name));
  if (missing.length > 0) throw new ToolError(`${path} does not take ${listed(missing)}, which every classifier of texts does.`);
  const other = inputs.find(({ type }) => type !== "int64");
  if (other !== undefined)
    throw new ToolError(`${path} takes ${other.name} as ${other.type ?? "something unknown"}, not as int64. Export it again.`);
  return names.filter(isInput);
}

function isInput(name: string): name is EncoderInput {
  return (INPUTS as readonly string[]).includes(name);
}

/** The output with the logits: the one of that name, or the only one. */
function logitsOf({ outputs }: GraphFacts, path: string): GraphEnd {
  const found = outputs.find(({ name }) => name === "logits") ?? (outputs.length === 1 ? outputs[0] : undefined);
  const names = listed(outputs.map(({ name }) => name));
  if (found === undefined)
    throw new ToolError(
      outputs.some(({ name }) => /hidden_state|embedding|pooler/u.test(name))
        ? featuresOnly(path, names)
        : `${path} has ${outputs.length} outputs (${names}), none of them called logits: it is not plain which one classifies. Export it for text classification.`,
    );
  const { name, type, sizes } = found;
  if (/hidden_state|embedding/u.test(name)) throw new ToolError(featuresOnly(path, names));
  if (sizes?.length === 3)
    throw new ToolError(`${path} gives numbers for every word (its ${names} has three dimensions), not for the whole text.`);
  if (sizes !== undefined && sizes.length !== 2)
    throw new ToolError(`${path} gives ${sizes.length} dimensions of numbers (${names}) where a classifier gives two: texts and labels.`);
  if (type !== "float32" && type !== "float16")
    throw new ToolError(`${path} gives ${type ?? "something unknown"} (${names}), not float32.`);
  if (!isPlainName(name)) throw new ToolError(`The output of ${path} has a name that umpire cannot use. Export it again.`);
  return found;
}

function featuresOnly(path: string, names: string): string {
  return `${path} gives features of a text (${names}), as models for embeddings do. Umpire needs a classifier for natural language inference.`;
}

function checkExternal({ files }: ModelSource, graph: string, location: string): void {
  if (!isPlainName(location))
    throw new ToolError(`${graph} keeps weights under a path that umpire cannot use. Export it again, so that they lie beside it.`);
  const path = externalPath(graph, location);
  if (!files.some((file) => file.path === path))
    throw new ToolError(
      `${graph} keeps its weights in ${path}, which is not there. Download that file, too, or take a graph that holds its weights.`,
    );
}

/** Where a file with a graph's weights lies in the source. */
export function externalPath(graph: string, name: string): string {
  return posix.join(posix.dirname(graph), name);
}

