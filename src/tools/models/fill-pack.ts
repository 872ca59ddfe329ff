import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Calibration, Precision } from "../../library/engine/engine.ts";
import { isPlainName } from "../../library/engine/pack/manifest-fields.ts";
import type { CommonManifest, ListedFile } from "../../library/engine/pack/manifest.ts";
import { ToolError } from "../tool-error.ts";
import type { Engines } from "./engines.ts";
import { externalPath } from "./graph/check-graph.ts";
import type { ClassifierGraph } from "./graph/check-graph.ts";
import type { ModelSource } from "./model-source.ts";
import type { ModelKind, Stated } from "./pair-manifest.ts";
import { TOKENIZER } from "./read-config.ts";
import { sealPack } from "./replace-pack.ts";
import { GOLDENS, makeSelfTest, UNKNOWN_SELF_TEST } from "./self-test.ts";

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
    createWriteStream(to, { flags: "wx" }),
    { signal },
  );
  return { sizeBytes, sha256: hash.digest("hex") };
}

const FORMAT = 1;
/** Scores as they are, until somebody fits them. */
const UNCALIBRATED: Calibration = {
  uncalibrated: true,
  choice: [{ maxOptions: 255, temperature: 1 }],
  noul: { temperature: 1, bias: 0 },
  score: { temperature: 1 },
};
/** Papers that a model's authors ask to hand on with it. */
const PAPERS = /^(?:README\.md|(?:LICEN[CS]E|NOTICE)(?:\.(?:md|txt))?)$/iu;
const MAX_PAPER_BYTES = 1_000_000;

/** A model that was looked at. */
interface Parts {
  readonly kind: ModelKind;
  readonly graphs: readonly ClassifierGraph[];
}

/**
 * Copies a model's files into an empty folder, runs it there, and seals the pack.
 * @returns the manifest
 * @throws {ToolError} if the model does not work
 */
export async function fillPack(
  folder: string,
  source: ModelSource,
  { kind, graphs }: Parts,
  wanted: Wanted,
  { engines, onStep, signal }: Adding,
): Promise<object> {
  onStep("copying its files");
  const files: { [name: string]: ListedFile } = {};
  for (const [name, path] of namesOf(source, graphs))
    files[name] = await copyHashed(await source.fetch(path, signal), join(folder, name), signal);
  const draft = { ...manifestOf(source, kind, wanted), ...kind.fields, ...encoderParts(graphs, kind) };
  await sealPack(folder, { ...draft, selfTest: UNKNOWN_SELF_TEST, files });
  onStep("running it for the first time");
  const selfTest = await makeSelfTest(engines, folder, graphs, signal);
  files[GOLDENS] = await listed(join(folder, GOLDENS));
  const manifest = { ...draft, selfTest, files };
  await sealPack(folder, manifest);
  onStep("checking the pack");
  // As everybody will load it.
  await (await engines.load(folder)).close();
  return manifest;
}

type OwnPart = Omit<CommonManifest, "selfTest" | "files"> & { readonly format: number };

function manifestOf({ name, revision, licence }: ModelSource, kind: ModelKind, wanted: Wanted): OwnPart {
  return {
    format: FORMAT,
    id: wanted.id,
    family: kind.family,
    description: `${name}: ${kind.words}.`,
    releaseDate: new Date().toISOString().slice(0, "2026-11-21".length),
    licence: wanted.licence ?? licence ?? "unknown",
    source: { name, ...(revision !== undefined && { revision }) },
    limits: kind.limits,
    calibration: UNCALIBRATED,
  };
}

/** The part of the manifest that all published encoders have. */
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

/**
 * Files of the pack, each with where it lies in the source.
 * @throws {ToolError} if two of them would have one name
 */
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

/** The pack to make of a model. */
export interface Wanted extends Stated {
  readonly id: string;
  /** Where the pack goes: a folder that is not there yet. */
  readonly folder: string;
  /** Graphs in the source, one for each precision. None: the one that fits this processor. */
  readonly graphs: readonly string[];
  /** As a person knows it. Default: what the source says. */
  readonly licence?: string | undefined;
}

/** Means that the program lends. */
export interface Adding {
  readonly engines: Engines;
  /** Asked before large files are fetched. @throws {ToolError} if they are not wanted */
  readonly confirm: (source: ModelSource, fetchedBytes: number) => Promise<void>;
  /** Told which step begins, in a few words. */
  readonly onStep: (step: string) => void;
  readonly signal?: AbortSignal;
}
