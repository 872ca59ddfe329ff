import { readFile, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { AddingFailed } from "./adding-failed.ts";
import { readCard } from "./card.ts";
import type { ModelSource, SourceFile } from "./source.ts";

/** Folders below the model's own that are looked into: onnx/, and what some put into it. */
const MAX_DEPTH = 2;
const MAX_FILES = 2000;
const MAX_CARD_BYTES = 1_000_000;

/**
 * A model in a folder of this machine, laid out as model hubs publish it.
 * @throws {AddingFailed} if it cannot be read
 */
export async function openModelFolder(path: string): Promise<ModelSource> {
  const folder = resolve(path);
  const files = await filesIn(folder).catch((error: unknown) => {
    throw unreadable(error);
  });
  const card = files.find((file) => file.path === "README.md" && file.sizeBytes <= MAX_CARD_BYTES);
  const fetch = (file: string): Promise<string> => insidePath(folder, file);
  const { licence } = readCard(card === undefined ? "" : await readFile(await fetch(card.path), "utf8").catch(() => ""));
  return {
    name: printable(basename(folder)),
    ...(licence !== undefined && { licence }),
    files,
    fetch,
  };
}

/**
 * Where a file really lies. A stranger's folder may have links to anything on this machine, and a pack may be served to anyone.
 * @throws {AddingFailed} for a link out of the folder, other than those of a hub's cache: its snapshots are made of links to its blobs
 */
async function insidePath(folder: string, file: string): Promise<string> {
  const [own, path] = await Promise.all([realpath(folder), realpath(join(folder, file))]);
  const cache = dirname(dirname(own));
  const places = own === join(cache, "snapshots", basename(own)) ? [own, join(cache, "blobs")] : [own];
  if (places.some((place) => path.startsWith(place + sep))) return path;
  throw new AddingFailed(`${file} is a link that leads out of the model's folder. Put the file itself in its place.`);
}

async function filesIn(folder: string, under = "", depth = 0): Promise<SourceFile[]> {
  const entries = await readdir(join(folder, under), { withFileTypes: true });
  const found: SourceFile[] = [];
  // One after the other, and by name: two runs see the same.
  for (const { name } of entries.filter((entry) => !entry.name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = under === "" ? name : `${under}/${name}`;
    // What a link leads to counts: the cache of a hub is made of links. A link to nowhere is no file.
    const about = await stat(join(folder, path)).catch(() => undefined);
    if (about?.isFile()) found.push({ path, sizeBytes: about.size });
    else if (about?.isDirectory() && depth < MAX_DEPTH) found.push(...(await filesIn(folder, path, depth + 1)));
    if (found.length > MAX_FILES)
      throw new AddingFailed(`The folder has more than ${MAX_FILES} files. Give the folder of one model, with its config.json.`);
  }
  return found;
}

function unreadable(error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code ?? "") {
    case "ENOENT":
      return new AddingFailed("There is no such folder. Give the folder of a model, or its name on a model hub: org/name.");
    case "ENOTDIR":
      return new AddingFailed("This is a file. Give the folder that it lies in, with the model's config.json.");
    case "EACCES":
    case "EPERM":
      return new AddingFailed("The folder cannot be read: this program has no permission to.");
    default:
      return error;
  }
}

/** A folder may have any name. */
function printable(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N} ._+-]+/gu, "_").slice(0, 100) || "model";
}
