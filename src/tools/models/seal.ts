import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";

/** Writes a pack's manifest and the seal beside it: its SHA-256 in the format of the `sha256sum` command. */
export async function sealPack(folder: string, manifest: object): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const seal = createHash("sha256").update(text).digest("hex");
  // Flushed, so that a power cut after a rename leaves no empty files.
  await writeFile(join(folder, MANIFEST), text, { flush: true });
  await writeFile(join(folder, `${MANIFEST}.sha256`), `${seal}  ${MANIFEST}\n`, { flush: true });
}
