import { abortable } from "../../library/async/signals.ts";
import { parseManifest } from "../../library/engine/families/families.ts";
import type { Manifest } from "../../library/engine/families/families.ts";
import { ToolError } from "../tool-error.ts";
import { checkGraph } from "./graph/check-graph.ts";
import type { ClassifierGraph } from "./graph/check-graph.ts";
import { chooseGraphs, companionsOf } from "./graph/choose-graphs.ts";
import { checkedTemplate, pairKind } from "./pair-manifest.ts";
import type { ModelKind, Stated } from "./pair-manifest.ts";
import { idTaken } from "./installed.ts";
import { gliclassKind, isGliclass } from "./gliclass-manifest.ts";
import { fillPack } from "./fill-pack.ts";
import type { Adding, Wanted } from "./fill-pack.ts";
import { readConfig, readTokenizer, TOKENIZER } from "./read-config.ts";
import { readJson } from "./model-source.ts";
import type { ModelSource } from "./model-source.ts";
import { TargetTaken, ifUnwritable, StagingDir } from "./staging-dir.ts";

export interface Added {
  readonly manifest: Manifest;
  readonly folder: string;
}

/**
 * Makes a sealed pack of a model, whole or not at all.
 * @throws {ToolError} saying what is wrong with the model, or in the way
 * @throws `signal.reason`
 */
export async function addModel(source: ModelSource, wanted: Wanted, adding: Adding): Promise<Added> {
  const { signal } = adding;
  adding.onStep("reading its configuration");
  const kind = await kindOf(source, wanted, signal);
  const paths = await chooseGraphs(source.files, wanted.graphs, process.arch, () => adding.engines.isInt8Exact());
  await adding.confirm(source, fetchedBytes(source, paths));
  adding.onStep("reading its graph");
  const graphs = await graphsOf(source, paths, kind, signal);
  const work = await StagingDir.make(wanted.folder).catch((error: unknown) => {
    throw ifUnwritable(error);
  });
  try {
    // Whatever is under way when it is aborted ends with the program: what was written so far goes now.
    const manifest = await abortable(fillPack(work.path, source, { kind, graphs }, wanted, adding), signal);
    await work.finish();
    return { manifest: await parseManifest(JSON.stringify(manifest)), folder: wanted.folder };
  } catch (error) {
    if (error instanceof TargetTaken) throw idTaken(wanted.id);
    throw ifUnwritable(error);
  } finally {
    await work.remove();
  }
}

/** The kind of a model, by its small files. */
async function kindOf(source: ModelSource, stated: Stated, signal: AbortSignal | undefined): Promise<ModelKind> {
  const config = await readJson(source, "config.json", signal);
  if (config === undefined) throw noConfig(source);
  // A mistake of the model as such comes first.
  const read = isGliclass(config) ? undefined : readConfig(config);
  const tokenizer = await readTokenizer(source, signal);
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

/** The graphs, checked against each other and the configuration. */
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

/** Bytes of what is to be fetched. */
function fetchedBytes({ files }: ModelSource, graphs: readonly string[]): number {
  const paths = [TOKENIZER, ...graphs, ...graphs.flatMap((graph) => companionsOf(files, graph))];
  return files.filter(({ path }) => paths.includes(path)).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
