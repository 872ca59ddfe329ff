/** The tarball that `npm pack` makes of what is built. */
export interface Packed {
  /** Of its files, inside the package. */
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/** What a page loads before its first answer, on wasm in int8. Paths in dist/. */
export const FIRST_VISIT: {
  readonly ourScripts: readonly string[];
  readonly runtime: readonly string[];
  readonly model: readonly string[];
};

export function packed(): Promise<Packed>;

/** What is loaded, and how much of it, as docs/speed.md says it. */
export function sizeRows(tarball: Packed): Promise<[what: string, size: string][]>;
