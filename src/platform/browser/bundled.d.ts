// What build.mjs writes into the bundles from models/ and the runtime's package.

/** For the page: what there is. */
declare module "umpire:catalogue" {
  export const catalogue: readonly { readonly id: string; readonly description: string; readonly releaseDate: string }[];
}

/** For the worker: where it is. Every URL is a literal `new URL("./...", import.meta.url)`, which bundlers find. */
declare module "umpire:assets" {
  export interface Asset {
    readonly name: string;
    readonly url: URL;
    readonly sizeBytes: number;
    readonly sha256: string;
  }
  /** By id. The seal is part of the script, so that it vouches for the manifest. */
  export const packs: Readonly<
    Record<string, { readonly manifest: Asset; readonly seal: string; readonly files: Readonly<Record<string, URL>> }>
  >;
  /** `script` is an ES module that finds nothing by itself: its binary is given to it. */
  export const runtimes: Readonly<Record<"wasm" | "webgpu", { readonly script: URL; readonly binary: Asset }>>;
}
