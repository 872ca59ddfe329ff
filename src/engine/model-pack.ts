import { DecideError } from "../errors.ts";
import { MANIFEST, parseManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";

/** Reads files of one folder and hashes bytes; a platform brings it. */
export interface PackFiles {
  /** Where the pack is, for messages. */
  readonly place: string;
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Lower-case hexadecimal SHA-256. */
  sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** A pack whose every file is what the manifest says it is. */
export interface ModelPack {
  readonly manifest: Manifest;
  /**
   * The very bytes that were checked, so that nothing can change between check and use.
   * @throws {DecideError} `model_invalid` naming the file: not listed.
   */
  read(name: string): Uint8Array<ArrayBuffer>;
}

/**
 * Opens a pack: its manifest is checked against the seal beside it, every other file against the manifest.
 * @throws {DecideError} `model_invalid` naming the file at fault: not listed, unreadable, of another size or another content.
 */
export async function openPack(files: PackFiles): Promise<ModelPack> {
  const seal = `${MANIFEST}.sha256`;
  const [manifestBytes, sealBytes] = await Promise.all([readable(files, MANIFEST), readable(files, seal)]);
  // The format of the sha256sum command: the digest, two spaces, the file's name.
  const sealed = new TextDecoder().decode(sealBytes);
  if (sealed !== `${await files.sha256(manifestBytes)}  ${MANIFEST}\n`) throw damaged(files, MANIFEST, `does not match ${seal}`);
  const manifest = parseManifest(new TextDecoder().decode(manifestBytes));
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, listed] of Object.entries(manifest.files)) contents.set(name, await checked(files, name, listed));
  return {
    manifest,
    read: (name) => {
      const bytes = contents.get(name);
      if (bytes === undefined) throw damaged(files, MANIFEST, `does not list ${name}, which it refers to`);
      return bytes;
    },
  };
}

async function checked(files: PackFiles, name: string, listed: Manifest["files"][string]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readable(files, name);
  if (bytes.byteLength !== listed.sizeBytes) {
    throw damaged(files, name, `has ${bytes.byteLength} bytes where the manifest says ${listed.sizeBytes}`);
  }
  if ((await files.sha256(bytes)) !== listed.sha256) throw damaged(files, name, "has another SHA-256 than the manifest says");
  return bytes;
}

async function readable(files: PackFiles, name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await files.read(name);
  } catch (cause) {
    throw new DecideError(
      "model_invalid",
      `${name} of the model in ${files.place} cannot be read. Install the package or the pack again.`,
      { cause },
    );
  }
}

export function damaged(files: PackFiles, name: string, what: string): DecideError {
  return new DecideError(
    "model_invalid",
    `${name} of the model in ${files.place} ${what}. The pack is damaged or was changed: install it again.`,
  );
}
