import { readFile } from "node:fs/promises";
import { filesFor, parseManifest } from "../../library/engine/families/families.ts";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";
import type { CataloguedPack } from "../../library/platform/platform.ts";
import { basePack, packsIn } from "../../library/platform/node/catalogue.ts";

/** The page asks for it to know which models it may choose. It lies beside index.html. */
export const MODELS_FILE = "models.json";

/** A line of that file. */
interface PageModel {
  readonly id: string;
  /** Bytes of its files that a browser fetches, on wasm in int8. */
  readonly sizeBytes: number;
}

/** The models that the page offers. */
export interface PageModels {
  /** The one that has a package of its own, if that is installed. Its files are to lie at `umpire/models/<id>/`, as those of the others do. */
  readonly base: CataloguedPack | undefined;
  /** Why a package that is installed is left out, in sentences. */
  readonly damage: string | undefined;
  /** The contents of `MODELS_FILE`. */
  readonly listing: string;
}

/** @param dist URL of the folder of the built package @param packaged models of packages of their own. Default: those that are installed */
export async function pageModels(dist: URL, packaged?: readonly CataloguedPack[]): Promise<PageModels> {
  const [[base], builtIn] = await Promise.all([packaged ?? basePack(dist), packsIn(new URL("umpire/models/", dist), true)]);
  const whole = base?.damage === undefined ? base : undefined;
  const models = await Promise.all([...builtIn, ...(whole ? [whole] : [])].map(pageModel));
  return { base: whole, damage: base?.damage, listing: `${JSON.stringify(models)}\n` };
}

async function pageModel({ id, url }: CataloguedPack): Promise<PageModel> {
  const text = await readFile(new URL(MANIFEST, url), "utf8");
  const manifest = await parseManifest(text);
  const names = await filesFor(manifest, { device: "wasm", precision: "int8" });
  const sizes = names.map((name) => manifest.files[name]?.sizeBytes ?? 0);
  return { id, sizeBytes: sizes.reduce((sum, size) => sum + size, Buffer.byteLength(text)) };
}
