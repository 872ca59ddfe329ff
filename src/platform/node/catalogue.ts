import { readdir, readFile } from "node:fs/promises";
import type { CataloguedPack } from "../platform.ts";

/** The packs in the subfolders of `models`. Folders without a manifest are not listed. */
export async function readCatalogue(models: URL): Promise<CataloguedPack[]> {
  const entries = await readdir(models, { withFileTypes: true });
  const packs = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }): Promise<CataloguedPack | undefined> => {
        const url = new URL(`${encodeURIComponent(name)}/`, models);
        const text = await readFile(new URL("manifest.json", url), "utf8").catch(() => undefined);
        return text === undefined ? undefined : { id: name, url: url.href, ...factsOf(text) };
      }),
  );
  return packs.filter((pack) => pack !== undefined);
}

/** A damaged manifest is listed, too: loading that model then says what is wrong with it. */
function factsOf(manifestText: string): { description: string; releaseDate: string } {
  try {
    const { description, releaseDate } = JSON.parse(manifestText) as Record<string, unknown>;
    return { description: String(description), releaseDate: String(releaseDate) };
  } catch {
    return { description: "(damaged manifest)", releaseDate: "" };
  }
}
