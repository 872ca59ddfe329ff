import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { abortable } from "../../library/async/signals.ts";
import { parseManifest, type Manifest } from "../../library/engine/families/families.ts";
import { UNCALIBRATED } from "./calibrate/fit.ts";
import { ToolError } from "../tool-error.ts";
import { checkGraph, chooseGraphs, companionsOf, externalPath, type ClassifierGraph } from "./graph/graphs.ts";
import { checkedTemplate, GLICLASS_MARKS, gliclassKind, isGliclass, pairKind, type ModelKind, type Stated } from "./model-kinds.ts";
import { idTaken } from "./installed.ts";
import { readConfig, readTokenizer, TOKENIZER } from "./read-config.ts";
import { readJson, type ModelSource } from "./model-source.ts";
import { makeWhole, sealPack, TargetTaken, throwUnwritable } from "./replace-pack.ts";
import type { Precision } from "../../library/engine/engine.ts";
import { isPlainName } from "../../library/engine/pack/manifest-fields.ts";
import type { CommonManifest, ListedFile } from "../../library/engine/pack/manifest.ts";
import { GOLDENS, isInt8Exact, loadPack, makeSelfTest, UNKNOWN_SELF_TEST } from "./self-test.ts";

/**
 * Makes a sealed pack of a model, whole or not at all.
 * @returns its manifest
 * @throws {ToolError} saying what is wrong with the model, or in the way
 * @throws `signal.reason`
 */
export async function addModel(source: ModelSource, wanted: Wanted, adding: Adding): Promise<Manifest> {
  const { signal } = adding;
  adding.onStep("reading its configuration");
  const kind = await kindOf(source, wanted, signal);
  const paths = await chooseGraphs(source.files, wanted.graphs, process.arch, () => isInt8Exact(adding.dist, adding.builtIn));
  await adding.confirm(source, fetchedBytes(source, paths));
  adding.onStep("reading its graph");
  const graphs = await graphsOf(source, paths, kind, signal);
  // Whatever is under way when it is aborted ends with the program: what was written so far goes now.
  const fill = (folder: string): Promise<object> => abortable(fillPack(folder, source, kind, graphs, wanted, adding), signal);
  const manifest = await makeWhole(wanted.folder, fill).catch((error: unknown) => {
    if (error instanceof TargetTaken) throw idTaken(wanted.id);
    return throwUnwritable(error);
  });
  return parseManifest(JSON.stringify(manifest));
}

async function kindOf(source: ModelSource, stated: Stated, signal: AbortSignal | undefined): Promise<ModelKind> {
  const config = await readJson(source, "config.json", signal);
  if (config === undefined) throw noConfig(source);
  // A mistake of the model as such comes first.
  const read = isGliclass(config) ? undefined : readConfig(config);
  const tokenizer = await readTokenizer(source, read === undefined ? GLICLASS_MARKS : [], signal);
  if (read !== undefined) return pairKind(read, tokenizer, stated);
  if (stated.labels !== undefined)
    throw new ToolError("A GLiClass model has no labels of its own: it reads those of each question. Leave out --labels.");
  return gliclassKind(config, tokenizer.tokenizer, checkedTemplate(stated.template));
}

function noConfig({ files }: ModelSource): ToolError {
  const found = files.find(({ path }) => path.endsWith("/config.json"));
  if (found !== undefined) {
    const inside = found.path.slice(0, -"/config.json".length);
    return new ToolError(`There is no config.json in it, but in its folder ${inside}. Give that folder.`);
  }
  return new ToolError(
    "There is no config.json in it, so it is no model in the usual layout (config.json, tokenizer.json, onnx/model.onnx).",
  );
}

async function graphsOf(
  source: ModelSource,
  paths: readonly string[],
  kind: ModelKind,
  signal: AbortSignal | undefined,
): Promise<ClassifierGraph[]> {
  const graphs: ClassifierGraph[] = [];
  for (const path of paths) {
    const graph = await checkGraph(source, path, signal);
    const { classes, precision } = graph;
    if (classes !== undefined && kind.classes !== undefined && classes !== kind.classes)
      throw new ToolError(
        `${path} gives ${classes} numbers for a text, but the model has ${kind.classes} labels. They do not belong together.`,
      );
    const same = graphs.find((other) => other.precision === precision);
    if (same !== undefined)
      throw new ToolError(`${same.path} and ${path} both compute in ${precision}. Give one graph for each precision.`);
    const first = graphs[0];
    if (first !== undefined && (first.output !== graph.output || first.inputs.join() !== graph.inputs.join()))
      throw new ToolError(
        `${first.path} and ${path} take and give different things, so they cannot be in one pack. Add them as two models.`,
      );
    graphs.push(graph);
  }
  const has = (wanted: string): boolean => graphs.some(({ precision }) => precision === wanted);
  if (has("fp16") && !has("fp32"))
    throw new ToolError(
      "A graph in half precision (fp16) runs on graphics processors alone, and is tested by comparing it with one in full precision. Give both: --file onnx/model.onnx --file onnx/model_fp16.onnx.",
    );
  return graphs;
}

function fetchedBytes({ files }: ModelSource, graphs: readonly string[]): number {
  const paths = [TOKENIZER, ...graphs, ...graphs.flatMap((graph) => companionsOf(files, graph))];
  return files.filter(({ path }) => paths.includes(path)).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Large enough that a file of gigabytes takes no more turns than it must. */
const PIECE_BYTES = 1 << 20;

/** Copies a file piece by piece, and says what was written. @throws the system's error, or `signal.reason` */
async function copyHashed(from: string, to: string, signal: AbortSignal | undefined): Promise<ListedFile> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  await pipeline(
    createReadStream(from, { highWaterMark: PIECE_BYTES }),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        sizeBytes += piece.byteLength;
        yield piece;
      }
    },
    createWriteStream(to, { flags: "wx", flush: true }),
    { signal },
  );
  return { sizeBytes, sha256: hash.digest("hex") };
}

const FORMAT = 1;
/** Papers that a model's authors ask to hand on with it. */
const PAPERS = /^(?:README\.md|(?:LICEN[CS]E|NOTICE)(?:\.(?:md|txt))?)$/iu;
const MAX_PAPER_BYTES = 1_000_000;

/**
 * Copies a model's files into an empty folder, runs it there, and seals the pack.
 * @returns the manifest
 * @throws {ToolError} if the model does not work
 */
async function fillPack(
  folder: string,
  source: ModelSource,
  kind: ModelKind,
  graphs: readonly ClassifierGraph[],
  wanted: Wanted,
  { dist, onStep, signal }: Adding,
): Promise<object> {
  onStep("copying its files");
  const files: { [name: string]: ListedFile } = {};
  for (const [name, path] of namesOf(source, graphs))
    files[name] = await copyHashed(await source.fetch(path, signal), join(folder, name), signal);
  const draft = { ...manifestOf(source, kind, wanted), ...kind.fields, ...encoderParts(graphs, kind) };
  await sealPack(folder, { ...draft, selfTest: UNKNOWN_SELF_TEST, files });
  onStep("running it for the first time");
  const selfTest = await makeSelfTest(dist, folder, graphs, signal);
  files[GOLDENS] = await listed(join(folder, GOLDENS));
  const manifest = { ...draft, selfTest, files };
  await sealPack(folder, manifest);
  onStep("checking the pack");
  // As everybody will load it.
  await (await loadPack(dist, folder)).close();
  return manifest;
}

function manifestOf(
  { name, revision, licence }: ModelSource,
  kind: ModelKind,
  wanted: Wanted,
): Omit<CommonManifest, "selfTest" | "files"> & { readonly format: number } {
  return {
    format: FORMAT,
    id: wanted.id,
    family: kind.family,
    description: `${name}: ${kind.words}.`,
    releaseDate: new Date().toISOString().slice(0, "2026-11-21".length),
    licence: wanted.licence ?? licence ?? "unknown",
    source: { name, ...(revision !== undefined && { revision }) },
    limits: kind.limits,
    calibration: { uncalibrated: true, ...UNCALIBRATED },
  };
}

function encoderParts(graphs: readonly ClassifierGraph[], { isUnpadded = false }: ModelKind): object {
  const [{ inputs, output }] = graphs as readonly [ClassifierGraph];
  const files = graphs.map(({ precision, externalData }) => [
    precision,
    { file: graphName(precision), ...(externalData.length > 0 && { externalData }) },
  ]);
  return {
    tokenizer: { file: TOKENIZER },
    graph: { inputs, output, ...(isUnpadded && { isUnpadded }) },
    graphs: Object.fromEntries(files) as object,
  };
}

function graphName(precision: Precision): string {
  return `${precision}.onnx`;
}

/** Files of the pack, each with where it lies in the source. @throws {ToolError} if two of them would have one name */
function namesOf({ files }: ModelSource, graphs: readonly ClassifierGraph[]): Map<string, string> {
  const names = new Map([[TOKENIZER, TOKENIZER]]);
  const add = (name: string, path: string): void => {
    const there = names.get(name);
    if (there !== undefined && there !== path)
      throw new ToolError(
        `Two of the model's files would have the name ${name} in the pack: ${there} and ${path}. Add their graphs as two models.`,
      );
    names.set(name, path);
  };
  for (const { precision, path, externalData } of graphs) {
    add(graphName(precision), path);
    for (const name of externalData) add(name, externalPath(path, name));
  }
  const papers = files.filter(({ path, sizeBytes }) => PAPERS.test(path) && sizeBytes <= MAX_PAPER_BYTES && isPlainName(path));
  for (const { path } of papers) if (!names.has(path)) names.set(path, path);
  return names;
}

async function listed(path: string): Promise<ListedFile> {
  const bytes = await readFile(path);
  return { sizeBytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
}

export interface Wanted extends Stated {
  readonly id: string;
  /** Where the pack goes: a folder that is not there yet. */
  readonly folder: string;
  /** Graphs in the source, one for each precision. None: the one that fits this processor. */
  readonly graphs: readonly string[];
  /** As a person knows it. Default: what the source says. */
  readonly licence?: string | undefined;
}

interface Adding {
  /** The folder of the built package. */
  readonly dist: URL;
  /** Folder of a model that came with it. */
  readonly builtIn?: string | undefined;
  /** Asked before large files are fetched. @throws {ToolError} if they are not wanted */
  readonly confirm: (source: ModelSource, fetchedBytes: number) => Promise<void>;
  readonly onStep: (step: string) => void;
  readonly signal?: AbortSignal;
}
