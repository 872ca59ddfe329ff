/** A file, identified by its content. */
export interface FileId {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Files are kept in pieces of this size, so that a visit that ends early leaves less to fetch for the next one. */
export const PIECE_BYTES = 4 * 2 ** 20;
/** Keys of the Cache API are URLs. These are never fetched: the domain `invalid` is reserved for names that do not exist (RFC 2606). */
const KEYS = "https://umpire.invalid/";
const USED = "used";

/** Key of the piece that starts at byte `at`. */
export function pieceKey({ sha256 }: FileId, at: number): string {
  return `${KEYS}${sha256}/${at}`;
}

/** Key of the note that says when a file was last used. */
export function useKey({ sha256 }: FileId): string {
  return `${KEYS}${sha256}/${USED}`;
}

/** The file that a key belongs to, and whether the key is that of its note. */
export function parseKey(key: string): { readonly sha256: string; readonly isUse: boolean } {
  const [sha256 = "", part] = key.slice(KEYS.length).split("/");
  return { sha256, isUse: part === USED };
}

export function pieceSize({ sizeBytes }: FileId, at: number): number {
  return Math.min(PIECE_BYTES, sizeBytes - at);
}
