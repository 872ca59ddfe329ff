import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BadInput } from "../cli/bad-input.ts";
import { MODELS_FILE } from "./page-models.ts";
import type { PageModels } from "./page-models.ts";

/** The folder of the page's own files inside dist/. The library's files are beside it. */
export const PAGE_FOLDER = "playground/";

/**
 * Copies everything that the page needs to a folder, which any web server can serve.
 * @param dist URL of the folder of the built package
 * @param models that the page is to offer
 * @throws {BadInput} if the folder holds files, since one of them could be overwritten
 */
export async function gatherPage(dist: URL, folder: string, { base, listing }: PageModels): Promise<void> {
  await mustBeEmpty(folder);
  await cp(new URL(PAGE_FOLDER, dist), folder, { recursive: true });
  await cp(new URL("umpire/", dist), join(folder, "umpire"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  if (base !== undefined) await cp(new URL(base.url), join(folder, "umpire/models", base.id), { recursive: true });
  await writeFile(join(folder, MODELS_FILE), listing);
  const scripts = (await readdir(new URL("umpire/", dist))).filter((name) => name.endsWith(".js")).map((name) => `umpire/${name}`);
  for (const script of ["index.browser.js", ...scripts]) await copyWithoutMap(dist, script, folder);
}

async function mustBeEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") throw new BadInput("--out must be a folder, but is a file.");
    throw error;
  });
  if (names.length > 0) throw new BadInput("The folder of --out is not empty. Name a new or an empty folder: no file is ever overwritten.");
}

/** Source maps are not copied, so the scripts must not name them. */
async function copyWithoutMap(dist: URL, script: string, folder: string): Promise<void> {
  const text = await readFile(fileURLToPath(new URL(script, dist)), "utf8");
  await mkdir(dirname(join(folder, script)), { recursive: true });
  await writeFile(join(folder, script), text.replace(/^\/\/# sourceMappingURL=.*\n?/mu, ""));
}
