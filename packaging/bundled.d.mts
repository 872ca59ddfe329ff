import type { Metafile } from "esbuild";
import type { Licence } from "./licences.mjs";

/** A file of dist/ that is a package's own file, or its own but for a comment. */
export interface Copy {
  /** Path in node_modules. */
  readonly from: string;
  /** Path in dist. */
  readonly to: string;
  /** Folders of other packages whose code the file holds, too. */
  readonly alsoFrom?: readonly string[];
}

export interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly licence: Licence;
  /** Paths in dist of the files with its code. */
  readonly files: ReadonlySet<string>;
  /** Folders of the packages that it imports. */
  readonly uses: ReadonlySet<string>;
  /** Whether our own code imports it. */
  readonly usedByUs: boolean;
}

export function bundledPackages(metafiles: readonly Metafile[], copies?: readonly Copy[], root?: string): Promise<BundledPackage[]>;
