import { createHash } from "node:crypto";
import { copyFile, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PACK_URL } from "./package-root.ts";
import { tempDir } from "./temp-dir.ts";

const SOURCE = fileURLToPath(PACK_URL);

export const PACK_FILES: readonly string[] = (await readdir(SOURCE)).sort();

/** A manifest as untyped JSON, so that tests can break it. */
export type LooseManifest = Record<string, unknown> & { files: Record<string, { sizeBytes: number; sha256: string }> };

/** A copy of the pack in its own folder, for tests that damage it. Files are links until they are changed. */
export class PackCopy {
  readonly folder: string;
  readonly #source: string;

  private constructor(folder: string, source: string) {
    this.folder = folder;
    this.#source = source;
  }

  /** @param source the pack's folder. Default: the built-in one. */
  static async make(source = SOURCE): Promise<PackCopy> {
    const copy = new PackCopy(tempDir(), source);
    for (const name of await readdir(source)) await symlink(join(source, name), copy.path(name));
    return copy;
  }

  /** The folder's URL. */
  get url(): string {
    return `${pathToFileURL(this.folder).href}/`;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async read(name: string): Promise<Uint8Array> {
    return readFile(this.path(name));
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await rm(this.path(name), { force: true });
    await writeFile(this.path(name), content);
  }

  async delete(name: string): Promise<void> {
    await rm(this.path(name));
  }

  /** Something else in the place of a file. @param make makes it at a path */
  async replace(name: string, make: (path: string) => Promise<unknown>): Promise<void> {
    await rm(this.path(name), { force: true });
    await make(this.path(name));
  }

  /** The file's original contents. */
  async restore(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
    await symlink(join(this.#source, name), this.path(name));
  }

  async flipBit(name: string, offset: number, bit = 0): Promise<void> {
    await rm(this.path(name));
    await copyFile(join(this.#source, name), this.path(name));
    const bytes = await this.read(name);
    bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit);
    await writeFile(this.path(name), bytes);
  }

  /** Changes the manifest, but not the seal. */
  async lie(change: (manifest: LooseManifest) => void): Promise<void> {
    const manifest = JSON.parse(await readFile(this.path("manifest.json"), "utf8")) as LooseManifest;
    change(manifest);
    await this.write("manifest.json", JSON.stringify(manifest));
  }

  /** Updates sizes, hashes and seal to match the current files, so that no checksum can find a change. */
  async seal(): Promise<void> {
    const manifest = JSON.parse(await readFile(this.path("manifest.json"), "utf8")) as LooseManifest;
    for (const name of Object.keys(manifest.files)) {
      const bytes = await this.read(name);
      manifest.files[name] = { sizeBytes: bytes.byteLength, sha256: sha256(bytes) };
    }
    await this.write("manifest.json", JSON.stringify(manifest));
    await this.sealManifest();
  }

  /** Updates the seal to match the current manifest. */
  async sealManifest(): Promise<void> {
    await this.write("manifest.json.sha256", `${sha256(await this.read("manifest.json"))}  manifest.json\n`);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
