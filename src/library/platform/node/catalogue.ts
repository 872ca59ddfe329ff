import { createHash } from "node:crypto";
import { readdir, stat, constants, open, type FileHandle } from "node:fs/promises";
import Module from "node:module";
import { basename, join, isAbsolute, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isPlainName } from "../../engine/pack/manifest-fields.ts";
import { MANIFEST } from "../../engine/pack/manifest.ts";
import { MAX_MANIFEST_BYTES } from "../../engine/pack/open-pack.ts";
import { DecideError } from "../../../errors.ts";
import { baseBytes } from "../../../version.ts";
import type { CataloguedPack, PackagedModel } from "../platform.ts";

/**
 * Built-in packs, and those that the user added under other names.
 * @param added the folder of the user's; undefined or not there: there are none
 * @param isNamed whether the user named that folder. One that nobody named may be a folder that a service may not read: then there are none, either
 * @throws {DecideError} `model_not_found` if a folder that was named cannot be read
 */
export async function readCatalogue(
  builtIn: () => Promise<readonly CataloguedPack[]>,
  added: URL | undefined,
  isNamed = false,
): Promise<CataloguedPack[]> {
  const noneIfUnreadable = (cause: NodeJS.ErrnoException): [] => {
    if (!isNamed || cause.code === "ENOENT") return [];
    const why = `The folder that UMPIRE_HOME names cannot be read: the system reports ${cause.code}.`;
    throw new DecideError("model_not_found", `${why} Name one that this program may read, or unset it.`, { cause });
  };
  const [own, others] = await Promise.all([builtIn(), added === undefined ? [] : packsIn(added, false).catch(noneIfUnreadable)]);
  return [...own, ...others.filter(({ id }) => !own.some((pack) => pack.id === id))];
}

/** The packs in the subfolders of a folder. Subfolders without a manifest that can be read are not listed. */
export async function packsIn(models: URL, isBuiltIn: boolean): Promise<CataloguedPack[]> {
  const entries = await readdir(models, { withFileTypes: true });
  const packs = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() && isPlainName(entry.name))
      .map(async ({ name }): Promise<CataloguedPack | undefined> => {
        const url = new URL(`${encodeURIComponent(name)}/`, models);
        const bytes = await readRegularFile(new URL("manifest.json", url), manifestFlaw).catch(() => undefined);
        return bytes && { id: name, url: url.href, isBuiltIn, ...factsOf(new TextDecoder().decode(bytes)) };
      }),
  );
  return packs.filter((pack) => pack !== undefined);
}

/** A damaged manifest is listed, too: loading that model then says what is wrong with it. */
export function factsOf(manifestText: string): { description: string; releaseDate: string } {
  try {
    const { description, releaseDate } = JSON.parse(manifestText) as Record<string, unknown>;
    return { description: String(description), releaseDate: String(releaseDate) };
  } catch {
    return { description: "(damaged manifest)", releaseDate: "" };
  }
}

/** The flaw in the size of a manifest, or of its seal, in words that follow the file's name. */
export function manifestFlaw(sizeBytes: number): string | undefined {
  return sizeBytes > MAX_MANIFEST_BYTES ? `has ${sizeBytes} bytes, more than the ${MAX_MANIFEST_BYTES} that it may have` : undefined;
}

/** The larger model. Its npm package holds it alone, no code: umpire works without it, and takes it where it is installed. */
export const BASE: PackagedModel = { id: "umpire-3-base", packageName: "umpire-base", sizeBytes: baseBytes };

/** `npm install` alone leaves a damaged package as it is, if its version is the right one. */
const ANEW = `npm uninstall ${BASE.packageName}, then npm install ${BASE.packageName}`;

/**
 * The pack in umpire-base, if that package is installed where umpire's own modules find it: beside umpire, as a rule.
 * @param dist the folder of the built package
 * @returns no pack or one, which has `damage` where the package is there but not whole
 */
export async function basePack(dist: URL): Promise<CataloguedPack[]> {
  // By its own name, webpack would evaluate the call when it bundles.
  const { resolve } = Module.createRequire(new URL("index.node.js", dist));
  const installed = await installedIn(resolve.paths(BASE.packageName) ?? []);
  // Most have no such package, and to let Node fail to resolve it would take a millisecond of each start. Plug'n'Play has no folders to look into.
  if (installed === undefined && process.versions["pnp"] === undefined) return [];
  let manifest: string;
  try {
    // The package says where its pack is. It is not imported, since there is nothing to run.
    manifest = resolve(`${BASE.packageName}/${MANIFEST}`);
  } catch {
    return installed === undefined ? [] : [damaged(new URL(`${BASE.id}/`, installed), `there is no ${MANIFEST} of its model in it`)];
  }
  const folder = new URL("./", pathToFileURL(manifest));
  try {
    const read = (name: string): Promise<Uint8Array<ArrayBuffer>> => readRegularFile(new URL(name, folder), manifestFlaw);
    const [bytes, sealed] = await Promise.all([read(MANIFEST), read(`${MANIFEST}.sha256`)]);
    const seal = createHash("sha256").update(bytes).digest("hex");
    if (new TextDecoder().decode(sealed) !== `${seal}  ${MANIFEST}\n`)
      return [damaged(folder, `${MANIFEST} of its model does not match ${MANIFEST}.sha256`)];
    return [{ ...packIn(folder), ...factsOf(new TextDecoder().decode(bytes)) }];
  } catch {
    return [damaged(folder, `${MANIFEST} of its model, or its seal, cannot be read`)];
  }
}

/** The remedy for a damaged pack, in words after a colon; undefined for a pack that is not in umpire-base. */
export function remedyFor(packUrl: string): string | undefined {
  return new RegExp(`/${BASE.packageName}/[^/]+/$`, "u").test(packUrl) ? `install ${BASE.packageName} anew (${ANEW})` : undefined;
}

function packIn(folder: URL): Pick<CataloguedPack, "id" | "url" | "isBuiltIn" | "packageName"> {
  return { id: basename(fileURLToPath(folder)), url: folder.href, isBuiltIn: true, packageName: BASE.packageName };
}

/** @param what is wrong with the package, in words that follow a colon */
function damaged(folder: URL, what: string): CataloguedPack {
  const damage = `The package ${BASE.packageName} is damaged or half installed: ${what}. Install it anew: ${ANEW}.`;
  return { ...packIn(folder), description: "(damaged package)", releaseDate: "", damage };
}

/** The first folder of the package's name in these places, whatever is in it. */
async function installedIn(places: readonly string[]): Promise<URL | undefined> {
  const folders = places.map((place) => join(place, BASE.packageName));
  const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
  const first = folders.find((_, i) => found[i]?.isDirectory());
  return first === undefined ? undefined : pathToFileURL(join(first, "/"));
}

/**
 * The folder of the models that this user added: `models/` in `UMPIRE_HOME`, else in the platform's folder for a program's data.
 * @returns undefined for a user without a home, such as in some containers
 */
export async function addedModelsFolder(env: NodeJS.ProcessEnv): Promise<URL | undefined> {
  const home = isHomeNamed(env) ? env["UMPIRE_HOME"] : await dataFolder();
  return home === undefined ? undefined : pathToFileURL(join(resolve(home), "models", "/"));
}

/** Whether `UMPIRE_HOME` names a folder. Empty is as good as not set. */
export function isHomeNamed({ UMPIRE_HOME: given = "" }: NodeJS.ProcessEnv): boolean {
  return given !== "";
}

async function dataFolder(): Promise<string | undefined> {
  try {
    // It looks for the user's home when it is loaded, which throws where there is none.
    const { default: envPaths } = await import("env-paths");
    const { data } = envPaths("umpire", { suffix: "" });
    // An empty HOME makes it relative: models would lie wherever the program was started.
    return isAbsolute(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * URL of the folder that `model` names, or undefined for a catalogue id. A path holds a slash or starts with a dot.
 * @throws {DecideError} `model_not_found` for a URL that names no file of this machine
 */
export function placeOf(model: string | URL): string | undefined {
  if (typeof model === "string" && !model.startsWith("file:")) {
    return /[/\\]/.test(model) || model.startsWith(".") ? asFolder(pathToFileURL(model)).href : undefined;
  }
  try {
    const url = new URL(model);
    // A file: URL can still be no path on this machine: it may name another host, or hold an encoded slash.
    fileURLToPath(url);
    return asFolder(url).href;
  } catch (cause) {
    const message = "The option model is a URL, but not the file: URL of a folder on this machine. Give such a URL, or the folder's path.";
    throw new DecideError("model_not_found", message, { cause });
  }
}

function asFolder(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.href}/`);
}

/** Windows has neither flag: they are undefined there, which counts as 0. */
const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/** A flaw of a file, in words that follow its name. */
export class UnfitFile extends Error {}

/**
 * Reads a file, or what a link leads to. Its type and size are checked before anything is read, and no more than that size is read.
 * @param flawOf what is wrong with a size in bytes, in words that follow the file's name
 * @throws {UnfitFile} for anything but a regular file, and for a size with a flaw
 */
export async function readRegularFile(url: URL, flawOf: (sizeBytes: number) => string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  // Otherwise opening a FIFO would wait for a writer, and opening a terminal could make it that of the process.
  const file = await open(url, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    // Of what was opened: what the name stands for may change at any time.
    const stat = await file.stat();
    if (!stat.isFile()) throw new UnfitFile("is not a regular file");
    const flaw = flawOf(stat.size);
    if (flaw !== undefined) throw new UnfitFile(flaw);
    return await readStart(file, stat.size);
  } finally {
    await file.close();
  }
}

/** The first `sizeBytes` of a file; less if it was cut since. */
async function readStart(file: FileHandle, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sizeBytes);
  let there = 0;
  while (there < sizeBytes) {
    const { bytesRead } = await file.read(bytes, there, sizeBytes - there, there);
    if (bytesRead === 0) break;
    there += bytesRead;
  }
  return bytes.subarray(0, there);
}
