import { posix } from "node:path";
import { ToolError } from "../../tool-error.ts";
import type { SourceFile } from "../model-source.ts";

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
const PLAIN: readonly string[] = ["", "_fp32", "_O3", "_O2", "_O1"];
/** Start of a graph's name. Other endings are never taken unasked, unless nothing else is there: half precision, 4 bits, and what is made for GPUs. */
const STEM = /^(?:model|gliclass)$/u;

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
  const plain = firstNamed(graphs, PLAIN);
  const int8 = firstNamed(graphs, INT8[arch] ?? INT8["x64"] ?? []);
  if (int8 !== undefined && (plain === undefined || (await isInt8Exact()))) return [int8];
  if (plain !== undefined) return [plain];
  const [one, ...others] = graphs.filter((path) => !/(?:encoder|decoder)/u.test(posix.basename(path)));
  if (one !== undefined && others.length === 0) return [one];
  throw new ToolError(`Which graph? Give one with --file: ${listed(graphs)}.`);
}

function findGraph(files: readonly SourceFile[], asked: string): string {
  const wanted = posix.normalize(asked.replaceAll("\\", "/"));
  const graphs = graphsOf(files);
  const found = graphs.find((path) => path === wanted) ?? graphs.find((path) => posix.basename(path) === wanted);
  if (found !== undefined) return found;
  if (graphs.length === 0) throw noGraph(files);
  throw new ToolError(`The model has no such graph as --file names. It has: ${listed(graphs)}.`);
}

function graphsOf(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path).filter((path) => path.endsWith(".onnx"));
}

/** The first graph by the order of endings. */
function firstNamed(graphs: readonly string[], endings: readonly string[]): string | undefined {
  return endings.map((ending) => graphs.find((path) => isNamed(path, ending))).find((path) => path !== undefined);
}

function isNamed(path: string, ending: string): boolean {
  const name = posix.basename(path, ".onnx");
  return name.endsWith(ending) && STEM.test(name.slice(0, name.length - ending.length));
}

function noGraph(files: readonly SourceFile[]): ToolError {
  const weights = files.find(({ path }) => /\.(?:safetensors|bin|h5|msgpack|gguf)$/u.test(path));
  const found = weights === undefined ? "" : ` It has weights of another kind (${posix.basename(weights.path)}).`;
  return new ToolError(
    `The model has no graph in ONNX (onnx/model.onnx).${found} Export it: optimum-cli export onnx --model NAME --task text-classification FOLDER. Or look for the model's ONNX edition on the hub.`,
  );
}

const MAX_LISTED = 10;

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_LISTED).join(", ");
  return paths.length > MAX_LISTED ? `${shown} and ${paths.length - MAX_LISTED} more` : shown;
}

/** Files that usually hold a graph's weights, by their names. */
export function companionsOf(files: readonly SourceFile[], graph: string): string[] {
  const stem = graph.slice(0, -".onnx".length);
  return files
    .map(({ path }) => path)
    .filter((path) => path.startsWith(`${graph}_data`) || [`${graph}.data`, `${stem}.data`].includes(path));
}
