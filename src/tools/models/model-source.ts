import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ToolError } from "../tool-error.ts";
import { isMissing, whyUnreadable } from "../../files/system-errors.ts";
import { jsonObjectIn } from "../rows/json-text.ts";

export interface SourceFile {
  /** Relative to the model's folder, with forward slashes: `onnx/model.onnx`. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Where a model's files come from: a folder, or a model hub. */
export interface ModelSource {
  /** The folder's name, or `org/name`. Safe to print. */
  readonly name: string;
  /** The commit, 40 lower-case hexadecimal digits; absent for a folder. */
  readonly revision?: string;
  /** As the model's card states it, such as `apache-2.0`; absent where it states none. */
  readonly licence?: string;
  readonly files: readonly SourceFile[];
  /**
   * Path of the file on this machine's disk, whole and checked.
   * @throws {ToolError}
   * @throws `signal.reason` once the signal is aborted.
   */
  fetch(path: string, signal?: AbortSignal): Promise<string>;
}

/** Folders below the model's own that are looked into: onnx/, and what some put into it. */
const MAX_DEPTH = 2;
const MAX_FILES = 2000;
const MAX_CARD_BYTES = 1_000_000;

/** A model in a folder of this machine, laid out as model hubs publish it. @throws {ToolError} if it cannot be read */
export async function openModelFolder(path: string): Promise<ModelSource> {
  const folder = resolve(path);
  const files = await filesIn(folder).catch(throwUnreadable);
  const card = files.find((file) => file.path === "README.md" && file.sizeBytes <= MAX_CARD_BYTES);
  const fetch = (file: string): Promise<string> => insidePath(folder, file);
  const text = card === undefined ? "" : await readFile(await fetch(card.path), "utf8").catch(() => "");
  const name = basename(folder).replaceAll(/[^\p{L}\p{N} ._+-]+/gu, "_").slice(0, 100) || "model";
  return { name, ...readCard(text), files, fetch };
}

/**
 * Where a file really lies. A stranger's folder may have links to anything on this machine, and a pack may be served to anyone.
 * @throws {ToolError} for a link out of the folder, other than those of a hub's cache: its snapshots are made of links to its blobs
 */
async function insidePath(folder: string, file: string): Promise<string> {
  const [own, path] = await Promise.all([realpath(folder), realpath(join(folder, file))]);
  const cache = dirname(dirname(own));
  const places = own === join(cache, "snapshots", basename(own)) ? [own, join(cache, "blobs")] : [own];
  if (places.some((place) => path.startsWith(place + sep))) return path;
  throw new ToolError(`${file} is a link that leads out of the model's folder. Put the file itself in its place.`);
}

async function filesIn(folder: string, under = "", depth = 0): Promise<SourceFile[]> {
  const entries = await readdir(join(folder, under), { withFileTypes: true });
  const found: SourceFile[] = [];
  // One after the other, and by name: two runs see the same.
  for (const { name } of entries.filter((entry) => !entry.name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = under === "" ? name : `${under}/${name}`;
    // Links are followed: the cache of a hub is made of them. A link to nowhere is no file.
    const about = await stat(join(folder, path)).catch(() => undefined);
    if (about?.isFile()) found.push({ path, sizeBytes: about.size });
    else if (about?.isDirectory() && depth < MAX_DEPTH) found.push(...(await filesIn(folder, path, depth + 1)));
    if (found.length > MAX_FILES)
      throw new ToolError(`The folder has more than ${MAX_FILES} files. Give the folder of one model, with its config.json.`);
  }
  return found;
}

function throwUnreadable(error: unknown): never {
  if (error instanceof ToolError) throw error;
  if (isMissing(error)) throw new ToolError("There is no such folder. Give the folder of a model, or its name on a model hub: org/name.");
  if ((error as NodeJS.ErrnoException).code === "ENOTDIR")
    throw new ToolError("This is a file. Give the folder that it lies in, with the model's config.json.");
  throw new ToolError(`The folder cannot be read: ${whyUnreadable(error)}.`, { cause: error });
}

const MAX_CHARACTERS = 300;

/** A library's word on a model, as a message may show it. */
export function firstLine(text: string): string {
  const [line = ""] = text.replace(/^(?:\w*Error: )+/u, "").split("\n");
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

const MAX_LISTED = 10;
const PLAIN = /^[\w.:/-][\w .,:/&+-]{0,59}$/u;

/** A stranger's names as a message may show them: the first few, and none that is long or odd. */
export function listed(names: readonly string[], plain = PLAIN): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => (plain.test(name) ? name : "(unprintable)"));
  return names.length > MAX_LISTED ? `${shown.join(", ")} and ${names.length - MAX_LISTED} more` : shown.join(", ") || "nothing";
}

const FRONT_MATTER = /^---\r?\n([^]*?)\r?\n---\s*(?:\r?\n|$)/u;
const LICENCE = /^licen[cs]e:[ \t]*["']?([\w.+-]{1,60})["']?[ \t]*$/mu;
const OTHER_NAME = /^license_name:[ \t]*["']?([\w.+-]{1,60})["']?[ \t]*$/mu;

/** Reads the front matter of a card. Only a plain word can be a licence: anything else is for its reader. */
export function readCard(text: string): { readonly licence?: string } {
  const [, matter = ""] = FRONT_MATTER.exec(text.replace(/^\uFEFF/u, "")) ?? [];
  const [, stated] = LICENCE.exec(matter) ?? [];
  const [, named] = OTHER_NAME.exec(matter) ?? [];
  const licence = stated === "other" ? (named ?? stated) : stated;
  return licence === undefined ? {} : { licence };
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The largest tokenizers have 20 MB. */
const MAX_BYTES = 200_000_000;

/**
 * Reads a JSON file of a model.
 * @returns undefined if the model has no such file
 * @throws {ToolError} if it is no JSON object
 */
export async function readJson(source: ModelSource, path: string, signal: AbortSignal | undefined): Promise<JsonObject | undefined> {
  const file = source.files.find((one) => one.path === path);
  if (file === undefined) return undefined;
  if (file.sizeBytes > MAX_BYTES) throw new ToolError(`${path} has ${file.sizeBytes} bytes, more than any such file.`);
  const text = await readFile(await source.fetch(path, signal), "utf8");
  if (isLfsPointer(text)) throw lfsPointer(path);
  const value = jsonObjectIn(text);
  if (value === undefined) throw new ToolError(`${path} is not a JSON object. Download the model again.`);
  return value;
}

const LFS = "version https://git-lfs.github.com/spec/";

/** Whether a file is only git's note of where its content lies. */
export function isLfsPointer(text: string): boolean {
  return text.startsWith(LFS);
}

export function lfsPointer(path: string): ToolError {
  return new ToolError(
    `${path} is only a pointer of git-lfs, not the file itself. Run "git lfs pull" in the model's folder, or download the file from the hub.`,
  );
}
