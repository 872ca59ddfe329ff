import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";

/** A file written by a build. */
export interface Emitted {
  /** Relative to the build's folder, with slashes. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** Lists all files in a folder and its subfolders. */
export async function emittedIn(folder: string): Promise<Emitted[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      const path = relative(folder, join(parentPath, name)).replaceAll("\\", "/");
      return { path, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
}

/** Whether a browser runs the file or shows it as text. */
export const isCode = ({ path }: Emitted): boolean => /\.(?:js|mjs|html)$/.test(path);

/** Whether the file has licence notices that a minifier moved out of a script. The runtime's two scripts have the same one. */
export const isNotice = ({ path }: Emitted): boolean => /\.(?:LICENSE|LEGAL)\.txt$/.test(path);
