import { readdir } from "node:fs/promises";
import { isPlainName } from "../../engine/pack/manifest-fields.ts";
import { MAX_MANIFEST_BYTES } from "../../engine/pack/open-pack.ts";
import { DecideError } from "../../../errors.ts";
import type { CataloguedPack } from "../platform.ts";
import { readRegularFile } from "./read-file.ts";

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

/** What is wrong with the size of a manifest, or of its seal, in words that follow the file's name. */
export function manifestFlaw(sizeBytes: number): string | undefined {
  return sizeBytes > MAX_MANIFEST_BYTES ? `has ${sizeBytes} bytes, more than the ${MAX_MANIFEST_BYTES} that it may have` : undefined;
}
