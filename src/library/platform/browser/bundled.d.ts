// The modules that build.mjs writes into the bundles, from models/ and from the runtime's package.

/** For the page's script: the packs that came with the package. */
declare module "umpire:catalogue" {
  export const catalogue: readonly { readonly id: string; readonly description: string; readonly releaseDate: string }[];
}

/** For the worker's script: where files are. Every URL is a literal `new URL("./...", import.meta.url)`, which bundlers find. */
declare module "umpire:assets" {
  export interface Asset {
    readonly name: string;
    readonly url: URL;
    readonly sizeBytes: number;
    /** Lower-case hexadecimal. */
    readonly sha256: string;
  }
  /** By id. The seal is part of the script, so that the script vouches for the manifest, and the manifest for all other files. */
  export const packs: Readonly<
    Record<string, { readonly manifest: Asset; readonly seal: string; readonly files: Readonly<Record<string, URL>> }>
  >;
  /** `script` is an ES module that looks for no other file: its binary is handed to it. */
  export const runtimes: Readonly<Record<"wasm" | "webgpu", { readonly script: URL; readonly binary: Asset }>>;
}
